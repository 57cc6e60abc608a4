import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { Config } from '../config.ts';
import { AppError } from '../errors.ts';

/** Node's default of 511 makes thousands of simultaneous connections wait for seconds. */
const backlog = 4_096;

/** Returns the bound address as a URL; throws `unavailable` with the next step. */
export async function listen(server: Server, { host, port }: Pick<Config, 'host' | 'port'>): Promise<string> {
  try {
    const { address } = await lookup(host, { order: 'ipv4first' });
    await once(server.listen({ host: address, port, backlog }), 'listening');
    const bound = server.address() as AddressInfo;
    return `http://${bound.family === 'IPv6' ? `[${bound.address}]` : bound.address}:${bound.port}`;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const reason: Record<string, string> = {
      EADDRINUSE: `Port ${port} of ${host} is in use; set PORT to another, or stop what has it`,
      EACCES: `Port ${port} may not be opened by this user; set PORT to one above 1023`,
      EADDRNOTAVAIL: `${host} is no address of this machine; set HOST to one that is`,
      EAI_AGAIN: `The name ${host} cannot be looked up now; check the name server, or set HOST to an address`,
      ENOTFOUND: `The name ${host} is unknown; set HOST to an address of this machine`,
    };
    const sentence = reason[code ?? ''];
    throw sentence === undefined ? error : new AppError('unavailable', `${sentence}.`, { cause: error });
  }
}

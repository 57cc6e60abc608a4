import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { Config } from '../config/settings.ts';
import { AppError } from '../errors.ts';
import { isLoopback } from '../values/cidr.ts';

/** Node's default of 511 makes thousands of simultaneous connections wait for seconds. */
const backlog = 4_096;

const plainHttp =
  'This is plain HTTP beyond the loopback: keys and people can be read on the way; put a proxy with TLS before it, or set HOST to 127.0.0.1';

interface Listening {
  /** The bound address as a URL. */
  address: string;
  /** Set where other machines can reach it. */
  warning?: string;
}

/** Throws `unavailable` with the next step. */
export async function listen(server: Server, { host, port }: Pick<Config, 'host' | 'port'>): Promise<Listening> {
  try {
    const { address } = await lookup(host, { order: 'ipv4first' });
    await once(server.listen({ host: address, port, backlog }), 'listening');
    const bound = server.address() as AddressInfo;
    const url = `http://${bound.family === 'IPv6' ? `[${bound.address}]` : bound.address}:${bound.port}`;
    return isLoopback(bound.address) ? { address: url } : { address: url, warning: plainHttp };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const reason: Record<string, string> = {
      EADDRINUSE: `Port ${port} of ${host} is in use; set PORT to another, or stop the program that uses it`,
      EACCES: `Port ${port} may not be opened by this user; set PORT to one above 1023`,
      EADDRNOTAVAIL: `${host} is no address of this machine; set HOST to one that is`,
      EAI_AGAIN: `The name ${host} cannot be looked up now; check the name server, or set HOST to an address`,
      ENOTFOUND: `The name ${host} is unknown; set HOST to an address of this machine`,
    };
    const sentence = reason[code ?? ''];
    throw sentence === undefined ? error : new AppError('unavailable', `${sentence}.`, { cause: error });
  }
}

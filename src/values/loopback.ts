import { isIP } from 'node:net';

import { withinCidrs } from './cidr.ts';

const loopback = withinCidrs(['127.0.0.0/8', '::1/128']);

/** Whether a host of a URL or socket is this machine. */
export function isLoopback(host: string): boolean {
  const address = host.replaceAll(/[[\]]/g, '');
  return address === 'localhost' || (isIP(address) !== 0 && loopback(address));
}

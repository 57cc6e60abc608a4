import { isIPv4 } from 'node:net';

import { withinCidrs } from '../values/cidr.ts';

/** IANA's special-purpose addresses that are no public unicast, and Azure's address for its machines. */
const special = withinCidrs([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
  '168.63.129.16',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
]);
const globalIPv6 = withinCidrs(['2000::/3']);

/** The machine itself, its links, and what clouds tell their machines. Takes what `plainAddress` returns, like `isPublic`. */
export const isNear = withinCidrs([
  '0.0.0.0/8',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '168.63.129.16',
  '::/127',
  'fe80::/10',
  'fd00:ec2::254',
]);

export function isPublic(address: string): boolean {
  return !special(address) && (isIPv4(address) || globalIPv6(address));
}

/** The address, or the IPv4 inside it: mapped, compatible, NAT64, 6to4, Teredo. Undefined with a zone, and for what is none. */
export function plainAddress(address: string): string | undefined {
  if (isIPv4(address)) return address;
  const digits = hexDigitsOf(address);
  if (digits === undefined) return undefined;
  for (const pattern of carriers) {
    const [, inside] = pattern.exec(digits) ?? [];
    if (inside !== undefined) return Buffer.from(inside, 'hex').join('.');
  }
  const [, inverted] = teredo.exec(digits) ?? [];
  if (inverted === undefined) return address;
  return Buffer.from(inverted, 'hex')
    .map((byte) => byte ^ 0xff)
    .join('.');
}

const carriers = [/^0{20}(?:0{4}|f{4})(?!0{7}[01])(.{8})$/, /^0064ff9b0{16}(.{8})$/, /^2002(.{8})/];
const teredo = /^20010{4}.{16}(.{8})$/;

function hexDigitsOf(address: string): string | undefined {
  const host = URL.parse(`http://[${address}]`)?.hostname;
  if (host === undefined) return undefined;
  const [head = '', tail = ''] = host.slice(1, -1).split('::').map(padded);
  return head.padEnd(32 - tail.length, '0') + tail;
}

function padded(groups: string): string {
  return groups.replaceAll(/[\da-f]+/g, (group) => group.padStart(4, '0')).replaceAll(':', '');
}

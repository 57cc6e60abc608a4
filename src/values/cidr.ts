import { BlockList, isIP } from 'node:net';

/** Matches any of the CIDRs or single addresses. Throws for malformed ones. */
export function withinCidrs(cidrs: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const cidr of cidrs) {
    const [address = '', prefix, ...rest] = cidr.split('/');
    // Node's own check compiles a large pattern, which would slow down every start.
    const family = address.includes(':') ? 'ipv6' : 'ipv4';
    const bits = prefix === undefined ? (family === 'ipv6' ? 128 : 32) : Number(prefix);
    if (rest.length > 0 || (prefix !== undefined && !/^\d{1,3}$/.test(prefix))) throw new Error('no CIDR');
    list.addSubnet(address, bits, family);
  }
  return (address) => list.check(address, familyOf(address));
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}

const loopback = withinCidrs(['127.0.0.0/8', '::1/128']);

export function isLoopback(host: string): boolean {
  const address = host.replaceAll(/[[\]]/g, '');
  return address === 'localhost' || (isIP(address) !== 0 && loopback(address));
}

import { isIPv6, SocketAddress } from 'node:net';

/**
 * What an address is counted as: IPv4 as it is, also where it is mapped into IPv6, and of IPv6 the first 64 bits, as
 * every customer has all the rest to choose from. Anything else stays as it is.
 */
export function networkOf(address: string): string {
  const [withoutZone = ''] = address.split('%');
  if (!isIPv6(withoutZone)) return address;
  const { address: canonical } = new SocketAddress({ address: withoutZone, family: 'ipv6' });
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(canonical)?.[1];
  return mapped ?? `${groupsOf(canonical).slice(0, 4).join(':')}::/64`;
}

function groupsOf(address: string): string[] {
  const [before = [], after] = address.split('::').map((part) => (part === '' ? [] : part.split(':')));
  if (after === undefined) return before;
  return [...before, ...Array<string>(8 - before.length - after.length).fill('0'), ...after];
}

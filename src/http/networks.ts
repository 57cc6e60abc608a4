import { isIPv6, SocketAddress } from 'node:net';

/**
 * The network that an address is counted as: IPv4 by itself, also where it is mapped into IPv6; IPv6 by its /64, as a
 * customer can choose among the rest. Anything else stays as it is.
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

import type { IncomingMessage } from 'node:http';
import { isIP, isIPv6, SocketAddress } from 'node:net';

/** The last hop of X-Forwarded-For that is no trusted proxy, or that proxy. Undefined once the connection is gone. */
export function clientAddress(
  { headers, socket }: IncomingMessage,
  isProxy: (address: string) => boolean,
): string | undefined {
  let address = socket.remoteAddress;
  const hops = [headers['x-forwarded-for'] ?? []].flat().join(',').split(',');
  while (address !== undefined && isProxy(address)) {
    const hop = hops.pop()?.trim();
    const named = withoutPort(hop ?? '');
    // Any invented word would get a rate limit of its own.
    if (isIP(named) === 0) break;
    address = named;
  }
  return address;
}

/** Some proxies append the port of the caller, which each connection changes. */
function withoutPort(hop: string): string {
  const [, ipv6, ipv4] = /^(?:\[(.+)\](?::\d+)?|([\d.]+):\d+)$/.exec(hop) ?? [];
  return ipv6 ?? ipv4 ?? hop;
}

/** The network that limits count: IPv4 by itself, also mapped into IPv6; IPv6 by its /64. Other text stays as it is. */
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

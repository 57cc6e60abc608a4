import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

/**
 * The last hop of X-Forwarded-For that is no trusted proxy; if it is no IP address, the proxy that sent it. Undefined once
 * the connection is gone.
 */
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

import type { Exchange } from './exchange.ts';

export type IsOwn = (exchange: Exchange) => boolean;

const loopback = ['localhost', '127.0.0.1', '[::1]'];

/** Whether Host names this service and Origin is no foreign page (DNS rebinding). Loopback names count as its own. */
export function ownOrigins(host: string, corsOrigins: readonly string[]): IsOwn {
  const bound = URL.parse(`http://${host.includes(':') ? `[${host}]` : host}`)?.hostname;
  return ({ arrival, publicUrl }) => {
    const { headers, socket } = arrival.request;
    const home = URL.parse(publicUrl);
    const named = URL.parse(`http://${headers.host ?? ''}`);
    const reached = socket.localAddress?.replace(/^::ffff:/, '') ?? '';
    const own = [...loopback, bound, home?.hostname, reached.includes(':') ? `[${reached}]` : reached];
    if (!named || !own.includes(named.hostname)) return false;
    const { origin } = headers;
    if (origin === undefined || corsOrigins.includes(origin)) return true;
    // By HTTPS there is one origin; a page of plain HTTP may come from somebody on the way.
    if (home?.protocol === 'https:' && named.hostname === home.hostname) return origin === home.origin;
    return origin === home?.origin || URL.parse(origin)?.host === named.host;
  };
}

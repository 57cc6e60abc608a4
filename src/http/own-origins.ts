import type { IncomingMessage } from 'node:http';

import type { Exchange } from './exchange.ts';

export type IsOwn = (request: IncomingMessage, exchange: Pick<Exchange, 'publicUrl'>) => boolean;

const loopback = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Whether the request names this service as its host and comes from no foreign page (DNS rebinding). The service's names are
 * the loopback names, `host`, the address that the connection reached, and the host of the public URL.
 */
export function ownOrigins(host: string, corsOrigins: readonly string[]): IsOwn {
  const bound = URL.parse(`http://${host.includes(':') ? `[${host}]` : host}`)?.hostname;
  return ({ headers, socket }, { publicUrl }) => {
    const place = URL.parse(publicUrl);
    const named = URL.parse(`http://${headers.host ?? ''}`);
    const reached = socket.localAddress?.replace(/^::ffff:/, '') ?? '';
    const own = [...loopback, bound, place?.hostname, reached.includes(':') ? `[${reached}]` : reached];
    if (!named || !own.includes(named.hostname)) return false;
    const { origin } = headers;
    if (origin === undefined || corsOrigins.includes(origin)) return true;
    // By HTTPS there is one origin; a page of plain HTTP may come from somebody on the way.
    if (place?.protocol === 'https:' && named.hostname === place.hostname) return origin === place.origin;
    return origin === place?.origin || URL.parse(origin)?.host === named.host;
  };
}

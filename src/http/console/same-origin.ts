import { HttpError } from '../errors.ts';
import type { Exchange } from '../exchange.ts';
import type { IsOwn } from '../own-origins.ts';

/** Refuses what another site sends, by headers no page can change; a write needs one. Throws `forbidden_origin`. */
export function requireSameOrigin(exchange: Exchange, isOwn: IsOwn): void {
  const { request } = exchange.arrival;
  const { origin, 'sec-fetch-site': site } = request.headers;
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  const isOwnSite = site === undefined || site === 'same-origin' || (isRead && site === 'none');
  const isKnown = isRead || origin !== undefined || site !== undefined;
  if (!isOwnSite || !isKnown || !isOwn(exchange)) throw new HttpError('forbidden_origin');
}

import type { IncomingMessage } from 'node:http';

import type { FastifyRequest } from 'fastify';

import { HttpFailure } from './failures.ts';

export const pathBytesMax = 2_048;
export const headerBytesMax = 16_384;
/** Node leaves out what comes after a thousand of them: a second Host may be among it, or a length. */
const headersMax = 999;

// RFC 9110 §7.2: a name, an address or nothing, and a port.
const hostPattern = /^([\w.~!$&'()*+,;=%-]*|\[[\da-f:.]+\])(:\d*)?$/i;

// RFC 9112 §3.2: a path, alone or after a server's name (RFC 9110 §4.2: neither empty nor with a user).
const targetPattern = /^(https?:\/\/[^/?@]+(?=[/?]|$)|\/)/i;
// Without `#`: a fragment stays with the caller.
const targetCharacters = /^[!"$-~]+$/;

/** What RFC 9112 and our limits ask of any request, before anything is done for it. */
export function requireWellFormed({ raw, originalUrl }: FastifyRequest): void {
  if (hasTooManyHeaders(raw)) throw new HttpFailure('headers_too_large');
  if (!isWellFormed(raw) || !isTarget(raw.method, originalUrl) || !isFramedPlainly(raw)) {
    throw new HttpFailure('malformed_request');
  }
  const queryStart = originalUrl.indexOf('?');
  const path = queryStart === -1 ? originalUrl : originalUrl.slice(0, queryStart);
  if (path.length > pathBytesMax) throw new HttpFailure('uri_too_long');
}

/**
 * Whether it is of HTTP/1.1 or 1.0, with one Host of a possible form (none will do in HTTP/1.0), not more than one
 * Authorization, and no more headers than are seen.
 */
export function isWellFormed(request: IncomingMessage): boolean {
  const { rawHeaders, headers, httpVersion } = request;
  if (hasTooManyHeaders(request)) return false;
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return false;
  const hosts = count(rawHeaders, 'host');
  if (hosts > 1 || (hosts === 0 && httpVersion === '1.1')) return false;
  if (hosts === 1 && !hostPattern.test(headers.host ?? '')) return false;
  return count(rawHeaders, 'authorization') <= 1;
}

function hasTooManyHeaders({ rawHeaders }: IncomingMessage): boolean {
  return rawHeaders.length > 2 * headersMax;
}

function isTarget(method: string | undefined, url: string): boolean {
  if (url === '*') return method === 'OPTIONS';
  return targetCharacters.test(url) && targetPattern.test(url) && isDecodable(url);
}

/** Whether all of it can be read; the query's parser would make other characters of what cannot. */
function isDecodable(url: string): boolean {
  if (!url.includes('%')) return true;
  try {
    decodeURIComponent(url);
    return true;
  } catch {
    return false;
  }
}

/** Whether nobody on the way can have seen its end elsewhere: chunked and nothing else, and not in HTTP/1.0 (§6.1). */
function isFramedPlainly({ headers, httpVersion }: IncomingMessage): boolean {
  const coding = headers['transfer-encoding'];
  return coding === undefined || (httpVersion === '1.1' && coding.toLowerCase() === 'chunked');
}

/** Whether an id between the slashes is missing: such a path does not exist, though the router finds one for it. */
export function hasEmptyParameter({ params }: FastifyRequest): boolean {
  return Object.values(params as Record<string, string>).includes('');
}

function count(rawHeaders: readonly string[], name: string): number {
  let found = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const header = rawHeaders[i];
    if (header?.length === name.length && header.toLowerCase() === name) found++;
  }
  return found;
}

/** The origin form of an absolute request target (RFC 9112 §3.2.2), which every server must accept. */
export function originForm(url: string): string {
  const match = /^https?:\/\/[^/?#]*/i.exec(url);
  if (!match) return url;
  const rest = url.slice(match[0].length);
  return rest.startsWith('/') ? rest : `/${rest}`;
}

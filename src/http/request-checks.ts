import type { IncomingMessage } from 'node:http';

import { isDecodable } from '../values/text.ts';
import { HttpError } from './errors.ts';

const pathBytesMax = 2_048;
export const headerBytesMax = 16_384;
/** Node drops headers after the thousandth: a second Host may be among them, or a length. */
const headersMax = 999;

// RFC 9110 §7.2: a name, an address or nothing, and a port.
const hostPattern = /^([\w.~!$&'()*+,;=%-]*|\[[\da-f:.]+\])(:\d*)?$/i;

// RFC 9112 §3.2: a path, alone or after a server's name (RFC 9110 §4.2: neither empty nor with a user).
const targetPattern = /^(https?:\/\/[^/?@]+(?=[/?]|$)|\/)/i;
const targetCharacters = /^[!"$-~]+$/;

const badUrl = 'The URL is malformed; a percent sign must begin an escape of UTF-8';

export function requireWellFormed(request: IncomingMessage): void {
  const { method, url = '/' } = request;
  if (request.rawHeaders.length > 2 * headersMax) throw new HttpError('headers_too_large');
  if (!isTarget(method, url)) throw new HttpError('malformed_request', [], { message: badUrl });
  if (!isWellFormed(request) || !isFramedPlainly(request)) throw new HttpError('malformed_request');
  const queryStart = url.indexOf('?');
  if ((queryStart === -1 ? url.length : queryStart) > pathBytesMax) throw new HttpError('uri_too_long');
}

function isWellFormed({ rawHeaders, headers, httpVersion }: IncomingMessage): boolean {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return false;
  const hosts = count(rawHeaders, 'host');
  if (hosts > 1 || (hosts === 0 && httpVersion === '1.1')) return false;
  if (hosts === 1 && !hostPattern.test(headers.host ?? '')) return false;
  return count(rawHeaders, 'authorization') <= 1;
}

function isTarget(method: string | undefined, url: string): boolean {
  if (url === '*') return method === 'OPTIONS';
  return targetCharacters.test(url) && targetPattern.test(url) && (!url.includes('%') || isDecodable(url));
}

/** Whether every proxy sees the same end of it: chunked and nothing else, and not in HTTP/1.0 (§6.1). */
function isFramedPlainly({ headers, httpVersion }: IncomingMessage): boolean {
  const coding = headers['transfer-encoding'];
  return coding === undefined || (httpVersion === '1.1' && coding.toLowerCase() === 'chunked');
}

function count(rawHeaders: readonly string[], name: string): number {
  const isIt = (header: string) => header.length === name.length && header.toLowerCase() === name;
  return rawHeaders.filter((header, index) => index % 2 === 0 && isIt(header)).length;
}

/** The origin form of an absolute request target (RFC 9112 §3.2.2), which every server must accept. */
export function originForm(url: string): string {
  const rest = url.replace(/^https?:\/\/[^/?#]*/i, '');
  return rest === url || rest.startsWith('/') ? rest : `/${rest}`;
}

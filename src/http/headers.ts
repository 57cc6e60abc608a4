import { hash, randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Names and values in turn, which Node writes in a fifth of the time that an object takes. */
export type HeaderList = readonly string[];

/** No cache on the way may keep personal data. */
export const keptByNobody: HeaderList = ['cache-control', 'private, no-store'];

export function standingHeaders(allowance: HeaderList): HeaderList {
  const vary = allowance.length > 0 ? 'Authorization, Origin' : 'Authorization';
  return ['vary', vary, 'x-content-type-options', 'nosniff'];
}

export const jsonType: HeaderList = ['content-type', 'application/json; charset=utf-8'];

/** The token in an Authorization header; undefined where there is none. RFC 9110 §11.1: the scheme in any letter case. */
export function bearerToken(header: string | undefined): string | undefined {
  return /^bearer +(\S.*)$/i.exec(header ?? '')?.[1]?.trimEnd();
}

// No key: a caller may send one in the wrong place, and the id is logged.
const acceptable = /^(?!.*rst_[0-9A-Za-z]{36})[A-Za-z0-9._-]{1,128}$/;
export function requestId(request: Pick<IncomingMessage, 'headers'>): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && acceptable.test(given) ? given : randomUUID();
}

export function etagOf(text: string | Buffer, revision?: number): string {
  const digest = hash('sha256', text, 'base64url').slice(0, 27);
  return revision === undefined ? `"${digest}"` : `"${revision}.${digest}"`;
}

/** Whether If-None-Match names the tag. RFC 9110 §13.1.2: a list, compared weakly. Our tags hold no comma. */
export function isMatch(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.trim() === '*' || header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}

const tags = /(?:W\/)?(?:"([^"]*)"|([^\s,"]+))/g;

/** Whether If-Match names the revision; also by weak and unquoted tags, as compressing proxies and forms send them. */
export function isExpected(header: string, revision: number | undefined): boolean {
  if (revision === undefined) return false;
  if (header.trim() === '*') return true;
  return [...header.matchAll(tags)].some(([, quoted, bare]) => (quoted ?? bare)?.startsWith(`${revision}.`));
}

import { hash } from 'node:crypto';

export interface Body {
  readonly text: string | Buffer;
  readonly bytes: number;
  readonly encoding: 'latin1' | 'utf8';
}

/** A body with its length; ASCII needs no transcoding on its way out. */
export function bodyOf(text: string): Body {
  const bytes = Buffer.byteLength(text);
  return { text, bytes, encoding: bytes === text.length ? 'latin1' : 'utf8' };
}

export function successText(data: unknown): string {
  return JSON.stringify({ status: 'success', data });
}

/** ETag of these bytes; the tag of one thing begins with its revision. */
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

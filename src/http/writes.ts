import { hash } from 'node:crypto';

import type { IdempotentRequest } from '../idempotency.ts';
import type { Ran } from '../operation.ts';
import { invalid } from '../validation.ts';
import type { RequestBody } from './body.ts';
import { bodyOf, etagOf, type Exchange, type Sender, successText } from './exchange.ts';
import { jsonType } from './headers.ts';
import type { Found } from './router.ts';
import type { Route } from './routes.ts';

const keyPattern = /^[\x21-\x7e]{1,255}$/;

export function idempotencyOf({ arrival }: Exchange, body: RequestBody | undefined): IdempotentRequest | undefined {
  const { headers, method = '', url = '' } = arrival.request;
  const given = headers['idempotency-key'];
  if (given === undefined) return undefined;
  const key = /^"(.*)"$/.exec(String(given))?.[1] ?? String(given);
  if (!keyPattern.test(key)) {
    const message = 'must be 1 to 255 visible ASCII characters';
    throw invalid([{ field: 'Idempotency-Key', code: key.length > 255 ? 'too_long' : 'format', message }]);
  }
  const asked = Buffer.from(`${method} ${targetOf(url)}\n`);
  const requestDigest = hash('sha256', Buffer.concat([asked, body?.bytes ?? Buffer.of()]), 'base64url');
  return { keyHash: hash('sha256', key, 'base64url'), requestDigest };
}

/** The parts of a request that a repeat must have too, all but `include`, which only chooses what is shown. */
function targetOf(url: string): string {
  const [path = '', ...rest] = url.split('?');
  const query = new URLSearchParams(rest.join('?'));
  for (const name of ['include', 'include[]']) query.delete(name);
  return [path.replace(/\/$/, ''), ...(query.size > 0 ? [query] : [])].join('?');
}

const tags = /(?:W\/)?(?:"([^"]*)"|([^\s,"]+))/g;

/**
 * Whether If-Match names the revision; a tag of any representation will do. Unlike RFC 9110 it accepts weak tags and
 * unquoted tags, which compressing proxies and forms produce.
 */
export function isExpected(header: string, revision: number | undefined): boolean {
  if (revision === undefined) return false;
  if (header.trim() === '*') return true;
  return [...header.matchAll(tags)].some(([, quoted, bare]) => (quoted ?? bare)?.startsWith(`${revision}.`));
}

export function sendWritten(
  { send }: Sender,
  exchange: Exchange,
  { status, creates, isCreated }: Route,
  params: Found['params'],
  { output, revision, replayed }: Ran<unknown>,
): void {
  const text = successText(output);
  const headers = [...jsonType];
  if (replayed) headers.push('idempotent-replayed', 'true');
  if (revision !== undefined) headers.push('etag', etagOf(text, revision));
  if (creates !== undefined && output && isCreated === undefined)
    headers.push('location', locationOf(creates, { ...params, ...output }));
  const isNew = isCreated?.(output as never) ?? true;
  send(exchange, isNew ? status : 200, headers, bodyOf(text));
}

function locationOf(path: string, values: Readonly<Record<string, unknown>>): string {
  return path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(values[name])));
}

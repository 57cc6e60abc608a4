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

export function idempotencyOf({ arrival }: Exchange, { bytes }: RequestBody): IdempotentRequest | undefined {
  const { headers, method = '', url = '' } = arrival.request;
  const given = headers['idempotency-key'];
  if (given === undefined) return undefined;
  const key = /^"(.*)"$/.exec(String(given))?.[1] ?? String(given);
  if (!keyPattern.test(key)) {
    const message = 'must be 1 to 255 visible ASCII characters';
    throw invalid([{ field: 'Idempotency-Key', code: key.length > 255 ? 'too_long' : 'format', message }]);
  }
  const [path = ''] = url.split('?', 1);
  const requestDigest = hash('sha256', Buffer.concat([Buffer.from(`${method} ${path}\n`), bytes]), 'base64url');
  return { keyHash: hash('sha256', key, 'base64url'), requestDigest };
}

/** RFC 9110 §13.1.1: compared strongly, so a weak tag never matches. */
export function isStrongMatch(header: string, etag: string): boolean {
  return header.trim() === '*' || header.split(',').some((tag) => tag.trim() === etag);
}

export function sendWritten(
  { send }: Sender,
  exchange: Exchange,
  { method, status, creates, isCreated }: Route,
  params: Found['params'],
  { output, replayed }: Ran<unknown>,
): void {
  const text = successText(output);
  const headers = [...jsonType];
  if (replayed) headers.push('idempotent-replayed', 'true');
  if (method === 'PATCH') headers.push('etag', etagOf(text));
  if (creates !== undefined && output && isCreated === undefined)
    headers.push('location', locationOf(creates, { ...params, ...output }));
  const isNew = isCreated?.(output as never) ?? true;
  send(exchange, isNew ? status : 200, headers, bodyOf(text));
}

function locationOf(path: string, values: Readonly<Record<string, unknown>>): string {
  return path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(values[name])));
}

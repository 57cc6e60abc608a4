import { hash } from 'node:crypto';

import type { IdempotentRequest } from '../idempotency.ts';
import { invalid } from '../validation.ts';
import type { RequestBody } from './body.ts';
import type { Exchange } from './exchange.ts';

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

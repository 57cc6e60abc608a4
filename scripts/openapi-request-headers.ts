import type { Route } from '../src/http/routes.ts';

const ifNoneMatch = {
  schema: { type: 'string', maxLength: 8_192, pattern: '^.*$' },
  in: 'header',
  name: 'If-None-Match',
  required: false,
  description: 'ETags of answers that the caller has; with one of them the answer is 304.',
  example: '"xWlJ8pZ4q0sVfN2tYb7cKd1mRgA"',
};

const ifMatch = {
  schema: { type: 'string', maxLength: 8_192, pattern: '^.+$' },
  in: 'header',
  name: 'If-Match',
  required: false,
  description:
    'An ETag of the thing to write, from any answer about it with any `include`, or `*`. 412 if the thing has changed since, even in a field that the answer did not show, or is gone. `W/` before the tag and missing quotes do not matter.',
  example: '*',
};

const idempotencyKey = {
  schema: { type: 'string', minLength: 1, maxLength: 257, pattern: '^[!-~]+$' },
  in: 'header',
  name: 'Idempotency-Key',
  required: false,
  description:
    'Names the request for 24 hours. A repeat has the same method, path, body and query (`include` aside). It changes nothing, ignores If-Match, and gets the answer of the first request from what is stored now, with `Idempotent-Replayed: true`.',
  example: '0b6f2c1e-5d1a-4c1b-9a57-2f8f3c6f4711',
};

/** The headers that a request of this route may have. */
export function headersOf({ method, operation }: Route): object[] {
  if (method === 'GET') return [ifNoneMatch];
  if (operation.kind === 'read') return [];
  return [...(operation.current ? [ifMatch] : []), ...(operation.repeat ? [idempotencyKey] : [])];
}

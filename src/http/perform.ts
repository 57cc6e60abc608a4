import { hash } from 'node:crypto';

import type { Actor } from '../actor.ts';
import { AppError } from '../errors.ts';
import type { IdempotentRequest } from '../idempotency.ts';
import { type Ran, run } from '../operation.ts';
import type { Store } from '../store.ts';
import { invalid } from '../validation.ts';
import type { RequestBody } from './body.ts';
import { HttpError, toHttpError } from './errors.ts';
import { type Exchange, successText } from './exchange.ts';
import { etagOf, isExpected, isMatch, jsonType } from './headers.ts';
import { type Params, type Route, routes } from './routes.ts';

export async function perform(
  store: Store,
  exchange: Exchange,
  { operation, path }: Route,
  actor: Actor,
  input: object,
  body: RequestBody | undefined,
): Promise<Ran<unknown>> {
  exchange.throwIfGivenUp();
  exchange.isWriting = operation.kind === 'write';
  const isDry = 'dry_run' in input && input.dry_run === true;
  if (operation.kind === 'write' && operation.repeat && !isDry) exchange.idempotent = idempotencyOf(exchange, body);
  const expected = exchange.arrival.request.headers['if-match'];
  if (expected !== undefined) exchange.isExpected = (revision) => isExpected(expected, revision);
  try {
    return await run(operation, store, actor, input as never, exchange);
  } catch (error) {
    // An id that breaks its limits belongs to nobody.
    const inPath = path.split('/');
    const fields = error instanceof AppError ? (error.errors ?? []) : [];
    const isAboutPath = fields.length > 0 && fields.every(({ field }) => inPath.includes(`:${field}`));
    const told = isAboutPath ? new HttpError('not_found') : toHttpError(error);
    const message = told.code === 'not_found' ? otherMethod(path, input) : undefined;
    if (message !== undefined) throw new HttpError('not_found', [], { message });
    throw isAboutPath ? told : error;
  }
}

/** A word such as `search` was read as the id of a contact. */
function otherMethod(path: string, input: object): string | undefined {
  const word = 'contactId' in input && path.endsWith('/:contactId') ? String(input.contactId) : '';
  if (!/^[a-z]+$/.test(word)) return undefined;
  const meant = routes.find((one) => one.path === path.replace(/:contactId$/, word));
  return meant && `Not found; ${word} is a ${meant.method}`;
}

const keyPattern = /^[\x21-\x7e]{1,255}$/;

function idempotencyOf({ arrival }: Exchange, body: RequestBody | undefined): IdempotentRequest | undefined {
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

export async function sendRead(exchange: Exchange, { output, revision }: Ran<unknown>): Promise<void> {
  const text = successText(output);
  const etag = etagOf(text, revision);
  // In a step of its own: the answers of a turn are all found, then all written, which takes a tenth less.
  await Promise.resolve();
  const { method, headers } = exchange.arrival.request;
  if (method !== 'POST' && isMatch(headers['if-none-match'], etag)) exchange.send(304, ['etag', etag]);
  else exchange.send(200, [...jsonType, 'etag', etag], text);
}

export function sendWritten(
  exchange: Exchange,
  { status, creates, isCreated }: Route,
  params: Params,
  { output, revision, replayed }: Ran<unknown>,
): void {
  const text = successText(output);
  const headers = [...jsonType];
  if (replayed) headers.push('idempotent-replayed', 'true');
  if (revision !== undefined) headers.push('etag', etagOf(text, revision));
  if (creates !== undefined && output && isCreated === undefined)
    headers.push('location', locationOf(creates, { ...params, ...output }));
  const isNew = isCreated?.(output as never) ?? true;
  exchange.send(isNew ? status : 200, headers, text);
}

function locationOf(path: string, values: Readonly<Record<string, unknown>>): string {
  return path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(values[name])));
}

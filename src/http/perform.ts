import type { Actor } from '../actor.ts';
import { AppError } from '../errors.ts';
import { type Ran, run } from '../operation.ts';
import type { Store } from '../store.ts';
import type { RequestBody } from './body.ts';
import { HttpError, toHttpError } from './errors.ts';
import type { Exchange } from './exchange.ts';
import { idempotencyOf } from './idempotency-key.ts';
import { isExpected } from './representation.ts';
import { type Route, routes } from './routes.ts';

/** Runs the operation of a route with what the headers ask for. */
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

import { Caller } from '../../clients/typescript/src/caller.ts';
import {
  type Answer,
  type RequestOptions,
  RosterClient,
  RosterConnectionError,
  RosterError,
} from '../../clients/typescript/src/index.ts';

export { RosterConnectionError, RosterError };

const listeners = new Set<() => void>();

/** Calls back when the session is gone. Returns how to stop. */
export function onSignedOut(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

const base = '/console/api';

/** The console serves the paths of `/v2` below its own. */
const send: typeof fetch = async (url, init) => {
  const response = await fetch((url as string).replace(`${base}/v2/`, `${base}/`), { ...init, cache: 'no-store' });
  if (response.status === 401) for (const listener of listeners) listener();
  return response;
};

// A lost answer is shown, and the member decides.
const options = { baseUrl: location.origin + base, fetch: send, retries: 0, timeoutMs: Infinity };

/** The operations of `/v2`, for the member who is signed in. */
export const roster = new RosterClient(options);
const caller = new Caller(options);

type Method = 'GET' | 'POST' | 'DELETE';

/** Calls what only pages call. The path has `{name}` for each parameter. */
export function call<Data>(method: Method, path: string, input: object = {}, more?: RequestOptions): Answer<Data> {
  return caller.call<Data>({ method, path: `/v2${path}`, repeats: 'never' }, input, more);
}

/** The code of an error; `unreachable` without a whole answer. Undefined for errors of the page itself. */
export function codeOf(error: unknown): string | undefined {
  if (error instanceof RosterConnectionError) return 'unreachable';
  return error instanceof RosterError ? (error.code ?? 'internal') : undefined;
}

/** The status of an answer that is no success. */
export function statusOf(error: unknown): number | undefined {
  return error instanceof RosterError ? error.status : undefined;
}

/** The sentence about a field, or about the first of those whose path begins so. */
export function errorAbout(error: unknown, isMeant: (field: string) => boolean): string | undefined {
  return error instanceof RosterError ? error.fieldErrors.find(({ field }) => isMeant(field))?.message : undefined;
}

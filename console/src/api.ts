import { type Answer, type RequestOptions, RosterClient, RosterConnectionError, RosterError } from '@roster/client';
import { Caller } from '@roster/client/caller.ts';

import { Observed } from './observed.ts';

export { RosterConnectionError, RosterError };

export interface Request {
  method: string;
  /** Below `/console/api`, with its query. */
  path: string;
  /** Of the answer; missing where none came. */
  status: number | undefined;
}

/** Tells of each request that nobody gave up. */
export const requests = new Observed<[Request]>();

const base = '/console/api';

/** The console serves the paths of `/v2` below its own. */
const send: typeof fetch = async (url, init = {}) => {
  const path = (url as string).slice(`${location.origin}${base}/v2`.length);
  let status: number | undefined;
  try {
    const response = await fetch(base + path, { ...init, cache: 'no-store' });
    ({ status } = response);
    return response;
  } finally {
    if (init.signal?.aborted !== true) requests.tell({ method: init.method ?? 'GET', path, status });
  }
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
  // A proxy answers in place of a server that is away.
  if (error instanceof RosterError && (error.status === 502 || error.status === 504)) return 'unreachable';
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

import type { Answered, RateLimit } from './answer.ts';
import { RosterConnectionError, RosterError, RosterTimeoutError } from './errors.ts';
import type { FieldError } from './generated/types.ts';

/** setTimeout fires at once after a longer delay. */
const timerMaxMs = 2 ** 31 - 1;

/** Sends once. The time limit includes the body. Throws the signal's reason, or an error of errors.ts. */
export async function attempt<T>(
  send: typeof fetch,
  url: string,
  init: RequestInit,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<Answered<T>> {
  signal?.throwIfAborted();
  const limit = new AbortController();
  const abort = () => limit.abort();
  const timer = setTimeout(abort, Math.min(timeoutMs, timerMaxMs));
  signal?.addEventListener('abort', abort);
  try {
    // A redirect could send the key to another host.
    const response = await send(url, { ...init, redirect: 'manual', signal: limit.signal });
    return read<T>(response, await response.text());
  } catch (error) {
    if (error instanceof RosterError) throw error;
    signal?.throwIfAborted();
    if (limit.signal.aborted) throw new RosterTimeoutError(`no answer within ${timeoutMs} ms`, { cause: error });
    throw new RosterConnectionError('no answer, or not a whole one; is the server up, and baseUrl right?', {
      cause: error,
    });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}

interface Envelope<T> {
  status?: string;
  data?: T;
  message?: string;
  code?: string;
  request_id?: string;
  errors?: FieldError[];
  existing?: string[];
  merged_into?: string;
}

function read<T>(response: Response, text: string): Answered<T> {
  const { status, headers } = response;
  const isJson = /\bjson\b/.test(headers.get('content-type') ?? '');
  // Invalid JSON means that the answer was cut off.
  const parsed: unknown = response.ok && isJson ? JSON.parse(text) : parsedOrNothing(text);
  const envelope = (typeof parsed === 'object' && parsed !== null ? parsed : {}) as Envelope<T>;
  const requestId = envelope.request_id ?? headers.get('x-request-id') ?? undefined;
  if (!response.ok || envelope.status !== 'success') {
    const details = {
      status,
      requestId,
      code: envelope.code,
      existing: envelope.existing,
      mergedInto: envelope.merged_into,
    };
    throw new RosterError(messageOf(response, envelope.message), {
      ...details,
      fieldErrors: envelope.errors,
      retryAfter: secondsOf(headers.get('retry-after')),
    });
  }
  return {
    data: envelope.data as T,
    status,
    headers,
    requestId,
    etag: headers.get('etag') ?? undefined,
    location: headers.get('location') ?? undefined,
    replayed: headers.get('idempotent-replayed') === 'true',
    rateLimit: rateLimitOf(headers),
  };
}

function parsedOrNothing(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function messageOf({ status, type, ok }: Response, message: string | undefined): string {
  if (message !== undefined) return message;
  const isRedirect = type === 'opaqueredirect' || (status >= 300 && status < 400);
  if (isRedirect) return 'the server redirects, which is not followed; put the address that it leads to into baseUrl';
  return ok ? 'this is no answer of Roster; is baseUrl right?' : `the answer is ${status}, and does not say why`;
}

/** Seconds, or the time until a date; undefined where the header is neither. */
function secondsOf(header: string | null): number | undefined {
  if (header === null) return undefined;
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}

function rateLimitOf(headers: Headers): RateLimit | undefined {
  const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map((name) => headers.get(`x-ratelimit-${name}`));
  if (limit == null || remaining == null || reset == null) return undefined;
  return { limit: Number(limit), remaining: Number(remaining), resetAt: new Date(Number(reset) * 1000) };
}

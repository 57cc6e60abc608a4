export interface FieldError {
  field: string;
  code: string;
  message: string;
}

interface Failure {
  status: number;
  code: string;
  message: string;
  requestId?: string | null;
  fieldErrors?: readonly FieldError[];
  existing?: readonly string[];
  retryAfter?: number | null;
}

/** An answer that is not a success, or no answer at all (`status` 0, `code` `unreachable`). */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: string;
  readonly requestId: string | null;
  readonly fieldErrors: readonly FieldError[];
  /** The ids of what is in the way. */
  readonly existing: readonly string[];
  /** Seconds. */
  readonly retryAfter: number | null;

  constructor({ status, code, message, requestId, fieldErrors, existing, retryAfter }: Failure) {
    super(message);
    this.status = status;
    this.code = code;
    this.requestId = requestId ?? null;
    this.fieldErrors = fieldErrors ?? [];
    this.existing = existing ?? [];
    this.retryAfter = retryAfter ?? null;
  }

  messageFor(field: string): string | undefined {
    return this.fieldErrors.find((one) => one.field === field)?.message;
  }
}

type Query = Record<string, string | number | boolean | null | undefined>;

export interface CallOptions {
  /** A value that is undefined, null or an empty text is left out. */
  query?: Query | undefined;
  /** Sent as JSON; a Blob is sent as it is. */
  body?: unknown;
  headers?: Record<string, string> | undefined;
  signal?: AbortSignal | undefined;
}

export interface Tagged<Data> {
  data: Data;
  etag: string | null;
}

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

interface Envelope {
  data?: unknown;
  code?: string;
  message?: string;
  request_id?: string;
  errors?: readonly FieldError[];
  existing?: readonly string[];
}

export const base = '/console/api';

export const api = {
  get: <Data>(path: string, options?: CallOptions) => dataOf<Data>('GET', path, options),
  post: <Data>(path: string, options?: CallOptions) => dataOf<Data>('POST', path, options),
  patch: <Data>(path: string, options?: CallOptions) => dataOf<Data>('PATCH', path, options),
  del: <Data>(path: string, options?: CallOptions) => dataOf<Data>('DELETE', path, options),
  /** With the ETag, for If-Match. */
  tagged: <Data>(method: Method, path: string, options?: CallOptions) => call<Data>(method, path, options),
};

const listeners = new Set<() => void>();

/** Calls back when the session is gone. Returns how to stop. */
export function onSignedOut(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

async function dataOf<Data>(method: Method, path: string, options?: CallOptions): Promise<Data> {
  return (await call<Data>(method, path, options)).data;
}

async function call<Data>(method: Method, path: string, options: CallOptions = {}): Promise<Tagged<Data>> {
  const response = await send(method, path, options);
  const envelope = await envelopeOf(response);
  if (response.ok) return { data: envelope.data as Data, etag: response.headers.get('etag') };
  const error = errorOf(response, envelope);
  if (error.code === 'unauthenticated') for (const listener of listeners) listener();
  throw error;
}

async function send(method: Method, path: string, { query, body, headers, signal }: CallOptions): Promise<Response> {
  const isJson = body !== undefined && !(body instanceof Blob);
  const type: Record<string, string> = isJson ? { 'content-type': 'application/json' } : {};
  try {
    return await fetch(urlOf(path, query), {
      method,
      headers: { accept: 'application/json', ...type, ...headers },
      body: isJson ? JSON.stringify(body) : (body ?? null),
      signal: signal ?? null,
      cache: 'no-store',
    });
  } catch (error) {
    if (signal?.aborted === true) throw error;
    throw unreachable();
  }
}

export function urlOf(path: string, query: Query = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== '');
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return `${base}${path}${text === '' ? '' : `?${text}`}`;
}

async function envelopeOf(response: Response): Promise<Envelope> {
  try {
    return (await response.json()) as Envelope;
  } catch {
    if (response.ok) throw unreachable();
    return {};
  }
}

function errorOf(response: Response, envelope: Envelope): ApiError {
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN);
  return new ApiError({
    status: response.status,
    code: envelope.code ?? 'internal',
    message: envelope.message ?? 'Roster gave no answer that the console understands',
    requestId: envelope.request_id ?? response.headers.get('x-request-id'),
    fieldErrors: envelope.errors ?? [],
    existing: envelope.existing ?? [],
    retryAfter: Number.isFinite(retryAfter) ? retryAfter : null,
  });
}

function unreachable(): ApiError {
  return new ApiError({ status: 0, code: 'unreachable', message: 'Roster cannot be reached. Look at the connection' });
}

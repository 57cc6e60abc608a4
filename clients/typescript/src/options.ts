export interface ClientOptions {
  /** The address of the interface: `https://roster.example.com/v2`. The client adds `/v2` if it is missing. */
  baseUrl: string;
  /** The key's token, or a function that returns it before each attempt, so that you can rotate the key. */
  apiKey?: string | (() => string | Promise<string>) | undefined;
  /** The time limit of each attempt in milliseconds, 30,000 by default. `wait` of listEvents comes on top. */
  timeoutMs?: number | undefined;
  /** The most retries of a request, 5 by default. */
  retries?: number | undefined;
  /** The longest pause before a retry in milliseconds, 60,000 by default. A longer Retry-After ends the call. */
  retryDelayMaxMs?: number | undefined;
  /** Replaces the global `fetch`. */
  fetch?: typeof fetch | undefined;
  /**
   * Use `chatling` for a server other than Roster: the client then retries creates only after 429, and walks lists by page
   * number. It is the default for `api.chatling.ai`.
   */
  dialect?: 'roster' | 'chatling' | undefined;
}

export interface RequestOptions {
  /** Ends the whole call, with its retries. The call then throws the signal's reason. */
  signal?: AbortSignal | undefined;
  /** As for the client, for this call. */
  timeoutMs?: number | undefined;
  /** As for the client, for this call. */
  retries?: number | undefined;
}

export interface KeyedOptions extends RequestOptions {
  /** Identifies the request for 24 hours, also across processes. The default is random. */
  idempotencyKey?: string | undefined;
}

export interface ChangeOptions extends KeyedOptions {
  /**
   * An `etag` of the thing, from any answer about it, or `*`. If the thing has changed since in any way, or is not there, the
   * call throws 412 `precondition_failed`.
   */
  ifMatch?: string | undefined;
}

export interface Settings {
  /** Without `/v2` and without a trailing slash. */
  readonly address: string;
  readonly apiKey: () => Promise<string>;
  readonly timeoutMs: number;
  readonly retries: number;
  readonly retryDelayMaxMs: number;
  readonly fetch: typeof fetch;
  readonly isChatling: boolean;
}

/** Throws a TypeError for an unusable value. The message repeats no value, as it may hold a secret. */
export function settingsOf(options: ClientOptions): Settings {
  const { apiKey = '', timeoutMs = 30_000, retries = 5, retryDelayMaxMs = 60_000, dialect } = options;
  const { address, hostname } = addressOf(options.baseUrl);
  for (const [name, value] of Object.entries({ timeoutMs, retries, retryDelayMaxMs })) {
    if (!(value >= 0)) throw new TypeError(`${name} must be a number from 0`);
  }
  return {
    address,
    apiKey: async () => tokenOf(typeof apiKey === 'function' ? await apiKey() : apiKey),
    timeoutMs,
    retries,
    retryDelayMaxMs,
    // Browsers throw if fetch is called as a method of another object.
    fetch: options.fetch ?? ((...args) => globalThis.fetch(...args)),
    isChatling: (dialect ?? (hostname === 'api.chatling.ai' ? 'chatling' : 'roster')) === 'chatling',
  };
}

function addressOf(baseUrl: string): { address: string; hostname: string } {
  if (!URL.canParse(baseUrl)) throw new TypeError('baseUrl must be an address such as https://roster.example.com/v2');
  const { protocol, username, password, search, hash, origin, pathname, hostname } = new URL(baseUrl);
  const isPlain = /^https?:$/.test(protocol) && `${username}${password}${search}${hash}` === '';
  if (!isPlain) throw new TypeError('baseUrl must begin with http: or https:, and have no user, query or fragment');
  return { address: origin + pathname.replace(/\/+$/, '').replace(/\/v2$/, ''), hostname };
}

// The error of the Headers class would repeat the token.
function tokenOf(token: string): string {
  const trimmed = token.trim();
  if (/[^\x21-\x7e]/.test(trimmed)) throw new TypeError('apiKey must have visible ASCII characters only');
  return trimmed;
}

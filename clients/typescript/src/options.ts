export interface ClientOptions {
  /** Where the operations are, up to and with `/v2`: `https://roster.example.com/v2`. */
  baseUrl: string;
  /** The key's token, or a function that is asked for it before each attempt, so that keys can be rotated. */
  apiKey?: string | (() => string | Promise<string>) | undefined;
  /** How long each attempt may take, in milliseconds: 30,000 unless given. `wait` of listEvents comes on top. */
  timeoutMs?: number | undefined;
  /** How often a request is repeated at most: 5 unless given. */
  retries?: number | undefined;
  /** The longest pause before a repeat, in milliseconds: 60,000 unless given. A longer Retry-After ends the call. */
  retryDelayMaxMs?: number | undefined;
  /** Takes the place of the global `fetch`. */
  fetch?: typeof fetch | undefined;
  /**
   * `chatling` where the server is not Roster: creates are repeated only after 429, and walks go from page to page. It is
   * the default for `api.chatling.ai`.
   */
  dialect?: 'roster' | 'chatling' | undefined;
}

export interface RequestOptions {
  /** Ends the whole call, with its repeats. The call then throws the signal's reason. */
  signal?: AbortSignal | undefined;
  /** As for the client, for this call. */
  timeoutMs?: number | undefined;
  /** As for the client, for this call. */
  retries?: number | undefined;
}

export interface ChangeOptions extends RequestOptions {
  /** The `etag` of what was last seen, or `*`; when something else is stored, the error is 412 `precondition_failed`. */
  ifMatch?: string | undefined;
}

export interface KeyedOptions extends RequestOptions {
  /** Names the request for 24 hours, also across processes; a random one unless given. */
  idempotencyKey?: string | undefined;
}

export interface Settings {
  /** Without `/v2` and without a slash at its end. */
  readonly address: string;
  readonly apiKey: () => Promise<string>;
  readonly timeoutMs: number;
  readonly retries: number;
  readonly retryDelayMaxMs: number;
  readonly fetch: typeof fetch;
  readonly isChatling: boolean;
}

/** Throws a TypeError where a value cannot be used; it repeats no value, as any may hold a secret. */
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
    // Asked for late, and without an object: browsers insist on it.
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

// A header would refuse it with an error that repeats it.
function tokenOf(token: string): string {
  const trimmed = token.trim();
  if (/[^\x21-\x7e]/.test(trimmed)) throw new TypeError('apiKey must have visible ASCII characters only');
  return trimmed;
}

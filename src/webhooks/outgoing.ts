/** Why nothing may be sent to a URL. */
export const urlRefusals = ['malformed', 'scheme', 'user_in_url', 'unresolved', 'forbidden_address'] as const;
export type UrlRefusal = (typeof urlRefusals)[number];

/** Why an attempt failed; a status that is not 2xx is `status`, 3xx is `redirect`. */
export const failures = [
  ...urlRefusals,
  'no_connection',
  'tls',
  'timeout',
  'closed_early',
  'redirect',
  'status',
] as const;
export type Failure = (typeof failures)[number];

export interface Attempt {
  /** Null where no answer came. */
  status: number | null;
  /** Null after a 2xx. */
  failure: Failure | null;
  durationMs: number;
  /** From a 429 or 503; at most an hour. */
  retryAfterMs?: number;
}

/** The port on the world outside. */
export interface Outgoing {
  /** Why nothing may be sent there; undefined where it may. Looks the name up once. */
  refusalOf(url: string): Promise<UrlRefusal | undefined>;
  /** Posts once by the same guard, follows no redirect. Throws only the signal's reason. */
  post(
    request: { url: string; headers: Readonly<Record<string, string>>; body: string },
    signal?: AbortSignal,
  ): Promise<Attempt>;
}

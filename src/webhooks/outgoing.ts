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

/** `status` is null where no answer came, `failure` after a 2xx. `retryAfterMs` is of a 429 or 503, an hour at most. */
export interface Attempt {
  status: number | null;
  failure: Failure | null;
  durationMs: number;
  retryAfterMs?: number;
}

export interface Outgoing {
  /** Why nothing may be sent there; undefined where it may. Looks the name up once. */
  refusalOf(url: string): Promise<UrlRefusal | undefined>;
  /** Posts once by the same guard, follows no redirect. Throws only the signal's reason. */
  post(
    request: { url: string; headers: Readonly<Record<string, string>>; body: string },
    signal?: AbortSignal,
  ): Promise<Attempt>;
}

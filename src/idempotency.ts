import type { Timestamp } from './values/timestamp.ts';

export const idempotencyHours = 24;

export interface IdempotentRequest {
  keyHash: string;
  requestDigest: string;
}

/** `result` holds ids, codes and names of fields, and nothing else. */
export interface KeptRequest {
  requestDigest: string;
  result: unknown;
}

export const doneAgain = { keep: () => ({}), render: async () => undefined } as const;

export interface IdempotencyKeys {
  /** Takes the key, or returns what an earlier request left. Throws `idempotency_in_progress` while that one runs. */
  claim(
    projectId: string,
    apiKeyId: string,
    request: IdempotentRequest,
    now: { at: Timestamp; forgetBefore: Timestamp },
  ): Promise<KeptRequest | undefined>;
  keep(projectId: string, apiKeyId: string, keyHash: string, result: unknown): Promise<void>;
  /** Deletes keys that were claimed before this time, `limit` at most. Returns how many. */
  purge(projectId: string, before: Timestamp, limit: number): Promise<number>;
}

import { type ApiKey, isUsable } from './api-key.ts';
import type { ApiKeyReads } from './store.ts';
import { hashToken, isPossibleToken } from './token.ts';

/** Why a request has no key: for operators, never for the caller. */
export const refusals = ['missing', 'malformed', 'unknown', 'revoked', 'expired'] as const;
export type KeyRefusal = (typeof refusals)[number];

export async function authenticate(
  apiKeys: Pick<ApiKeyReads, 'findByHash'>,
  token: string | undefined,
  now = new Date(),
): Promise<ApiKey | Exclude<KeyRefusal, 'revoked' | 'expired'>> {
  if (token === undefined) return 'missing';
  if (!isPossibleToken(token)) return 'malformed';
  const key = await apiKeys.findByHash(hashToken(token), now);
  return key && isUsable(key, now) ? key : 'unknown';
}

/** Why an unknown token is refused. Ask only after the caller was answered: a key that has ended takes longer to find. */
export async function explain(
  apiKeys: Pick<ApiKeyReads, 'locateByHash'>,
  token: string,
): Promise<{ refusal: KeyRefusal; ended?: ApiKey }> {
  const ended = await apiKeys.locateByHash(hashToken(token));
  if (!ended) return { refusal: 'unknown' };
  return { refusal: ended.revoked_at === null ? 'expired' : 'revoked', ended };
}

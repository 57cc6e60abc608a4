import { type ApiKey, isUsable } from './api-key.ts';
import type { ApiKeyReads } from './store.ts';
import { hashToken, isPossibleToken } from './token.ts';

/** Why a request has no key: for operators, never for the caller. */
export const refusals = ['missing', 'malformed', 'unknown', 'revoked', 'expired'] as const;
export type Refusal = (typeof refusals)[number];

/** The key of a token, or why there is none. A key that has ended is unknown here. */
export async function authenticate(
  apiKeys: Pick<ApiKeyReads, 'findByHash'>,
  token: string | undefined,
  now = new Date(),
): Promise<ApiKey | Exclude<Refusal, 'revoked' | 'expired'>> {
  if (token === undefined) return 'missing';
  if (!isPossibleToken(token)) return 'malformed';
  const key = await apiKeys.findByHash(hashToken(token), now);
  return key && isUsable(key, now) ? key : 'unknown';
}

/** Why an unknown token is refused. Ask only after the caller was answered: a key that has ended takes longer to find. */
export async function refusalOf(apiKeys: Pick<ApiKeyReads, 'findRevokedAt'>, token: string): Promise<Refusal> {
  const ended = await apiKeys.findRevokedAt(hashToken(token));
  if (!ended) return 'unknown';
  return ended.revoked_at === null ? 'expired' : 'revoked';
}

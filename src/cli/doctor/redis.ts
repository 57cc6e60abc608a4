import type { Config } from '../../config/settings.ts';
import { type Examination, ok, warning } from './checks.ts';

/** Warns where Redis does not count, as each process then counts for itself. */
export async function examineRedis(
  { examine }: Examination,
  { redisUrl, rateLimit }: Pick<Config, 'redisUrl' | 'rateLimit'>,
): Promise<void> {
  if (redisUrl === '' || rateLimit === 0) return;
  await examine('redis', 'fix ROSTER_REDIS_URL', async () => {
    const { openSharedCounts } = await import('../../http/shared-rate-limit.ts');
    let reason = 'unknown';
    const warn = (object: unknown) => {
      const logged = (object as { reason?: unknown }).reason;
      if (typeof logged === 'string') reason = logged;
    };
    using counts = await openSharedCounts(redisUrl, { info: () => undefined, warn });
    if (counts.isShared()) return ok('the rate limit is counted in Redis');
    return warning(
      `Redis does not count (${reason}), so each process does for itself`,
      'look at the Redis of ROSTER_REDIS_URL: its address, its password, what its user may do',
    );
  });
}

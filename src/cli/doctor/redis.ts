import type { Config } from '../../config.ts';
import type { Examine } from './checks.ts';

/** Checks that Redis counts. Only a warning where it does not: each process then counts for itself. */
export async function examineRedis(
  examine: Examine,
  { redisUrl, rateLimit }: Pick<Config, 'redisUrl' | 'rateLimit'>,
): Promise<void> {
  if (redisUrl === '' || rateLimit === 0) return;
  await examine('redis', 'mend ROSTER_REDIS_URL', async () => {
    const { openSharedCounts } = await import('../../http/shared-rate-limit.ts');
    let reason = 'unknown';
    const log = { info: () => undefined, warn: (object: unknown) => (reason = reasonIn(object)) };
    using counts = await openSharedCounts(redisUrl, log);
    if (counts.isShared()) return [true, 'the rate limit is counted in Redis'];
    return [
      false,
      {
        warning: `Redis does not count (${reason}), so each process does for itself`,
        command: 'look at the Redis of ROSTER_REDIS_URL: its address, its password, what its user may do',
      },
    ];
  });
}

function reasonIn(logged: unknown): string {
  const { reason } = logged as { reason?: unknown };
  return typeof reason === 'string' ? reason : 'unknown';
}

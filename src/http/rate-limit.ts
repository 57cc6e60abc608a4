import type { FastifyReply } from 'fastify';
import RateLimiterMemory from 'rate-limiter-flexible/lib/RateLimiterMemory.js';
import RateLimiterRes from 'rate-limiter-flexible/lib/RateLimiterRes.js';

import { HttpFailure } from './failures.ts';
import type { Limiter, SharedCounts } from './shared-counts.ts';

const windowSeconds = 60;
const refusalsPerWindow = 60;

export interface RateLimit {
  /** Counts a request of a known key, sets its headers, and throws `rate_limited` when there were too many. */
  countRequest(keyId: string, reply: FastifyReply): Promise<void>;
  /** Counts a refusal to an address; throws `rate_limited` from the one after the sixtieth on. */
  countRefusal(address: string): Promise<void>;
}

/**
 * Fixed windows of a minute, each from its first request on. `perMinute` 0 switches everything off. Without
 * shared counts, and while they are away, each process counts for itself.
 */
export function rateLimit(perMinute: number, shared?: SharedCounts): RateLimit {
  if (perMinute === 0) return { countRequest: async () => undefined, countRefusal: async () => undefined };
  const requests = limiter('key', perMinute, shared);
  const refusals = limiter('address', refusalsPerWindow, shared);
  return {
    countRequest: async (keyId, reply) => {
      const { allowed, state } = await consume(requests, keyId);
      reply.headers({
        'x-ratelimit-limit': String(perMinute),
        'x-ratelimit-remaining': String(Math.max(0, state.remainingPoints)),
        'x-ratelimit-reset': String(Math.ceil((Date.now() + state.msBeforeNext) / 1000)),
      });
      if (!allowed) throw tooMany(state);
    },
    countRefusal: async (address) => {
      const { allowed, state } = await consume(refusals, shared?.hide(address) ?? address);
      if (!allowed) throw tooMany(state);
    },
  };
}

function limiter(keyPrefix: string, points: number, shared: SharedCounts | undefined): Limiter {
  const own = new RateLimiterMemory({ points, duration: windowSeconds, keyPrefix });
  return shared?.limiter(own) ?? own;
}

// The library rejects with the state of the window, which is no error.
async function consume(limiter: Limiter, key: string): Promise<{ allowed: boolean; state: RateLimiterRes }> {
  try {
    return { allowed: true, state: await limiter.consume(key) };
  } catch (state) {
    if (state instanceof RateLimiterRes) return { allowed: false, state };
    throw state;
  }
}

function tooMany({ msBeforeNext }: RateLimiterRes): HttpFailure {
  return new HttpFailure('rate_limited', {
    'retry-after': String(Math.max(1, Math.ceil(msBeforeNext / 1000))),
  });
}

import type { FastifyReply } from 'fastify';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

import { HttpFailure } from './failures.ts';

const windowSeconds = 60;
const refusalsPerWindow = 60;

export interface RateLimit {
  /** Counts a request of a known key, sets its headers, and throws `rate_limited` when there were too many. */
  countRequest(keyId: string, reply: FastifyReply): Promise<void>;
  /** Counts a refusal to an address; throws `rate_limited` from the one after the sixtieth on. */
  countRefusal(address: string): Promise<void>;
}

/** Fixed windows of a minute, each from its first request on. `perMinute` 0 switches everything off. */
export function rateLimit(perMinute: number): RateLimit {
  if (perMinute === 0) return { countRequest: async () => undefined, countRefusal: async () => undefined };
  const requests = new RateLimiterMemory({ points: perMinute, duration: windowSeconds, keyPrefix: 'key' });
  const refusals = new RateLimiterMemory({
    points: refusalsPerWindow,
    duration: windowSeconds,
    keyPrefix: 'address',
  });
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
      const { allowed, state } = await consume(refusals, address);
      if (!allowed) throw tooMany(state);
    },
  };
}

// The library rejects with the state of the window, which is no error.
async function consume(
  limiter: RateLimiterMemory,
  key: string,
): Promise<{ allowed: boolean; state: RateLimiterRes }> {
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

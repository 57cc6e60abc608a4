import RateLimiterMemory from 'rate-limiter-flexible/lib/RateLimiterMemory.js';
import RateLimiterRes from 'rate-limiter-flexible/lib/RateLimiterRes.js';

import { HttpFailure } from '../failures.ts';
import { networkOf } from './networks.ts';
import type { SharedCounts } from './shared-counts.ts';
import { countWindows, type Window } from './windows.ts';

const windowSeconds = 60;
const refusalsPerWindow = 60;

/** A request that was counted. */
export interface Counted {
  isAllowed: boolean;
  /** What the answer says of it; empty where nothing is limited. */
  headers: Readonly<Record<string, string>>;
  retryAfterSeconds: number;
}

export interface RateLimit {
  /** Counts a request of a known key: at once where this process counts for itself. */
  countRequest(keyId: string): Counted | Promise<Counted>;
  /** Counts a refusal to an address (of IPv6 to its /64); throws `rate_limited` from the one after the sixtieth on. */
  countRefusal(address: string): Promise<void>;
}

const unlimited: Counted = { isAllowed: true, headers: {}, retryAfterSeconds: 0 };

/**
 * Fixed windows of a minute, each from its first request on. `perMinute` 0 switches everything off. Without
 * shared counts, and while they are away, each process counts for itself.
 */
export function rateLimit(perMinute: number, shared?: SharedCounts): RateLimit {
  if (perMinute === 0) return { countRequest: () => unlimited, countRefusal: async () => undefined };
  const requests = counter('key', perMinute, shared);
  const refusals = counter('address', refusalsPerWindow, shared);
  return {
    countRequest: (keyId) => judgedOnceCounted(requests(keyId), perMinute),
    countRefusal: async (address) => {
      const network = networkOf(address);
      const window = refusals(shared?.hide(network) ?? network);
      const counted = await judgedOnceCounted(window, refusalsPerWindow);
      if (!counted.isAllowed) throw tooMany(counted);
    },
  };
}

/** The answer to a request that was not allowed. */
export function tooMany({ retryAfterSeconds }: Counted): HttpFailure {
  return new HttpFailure('rate_limited', { 'retry-after': String(retryAfterSeconds) });
}

// A window of our own at once, as it goes on counting those that come behind.
function judgedOnceCounted(window: Window | Promise<Window>, points: number): Counted | Promise<Counted> {
  return window instanceof Promise
    ? window.then((counted) => judged(counted, points))
    : judged(window, points);
}

function judged({ count, endsAt }: Window, points: number): Counted {
  return {
    isAllowed: count <= points,
    headers: {
      'x-ratelimit-limit': String(points),
      'x-ratelimit-remaining': String(Math.max(0, points - count)),
      'x-ratelimit-reset': String(Math.ceil(endsAt / 1000)),
    },
    retryAfterSeconds: Math.max(1, Math.ceil((endsAt - Date.now()) / 1000)),
  };
}

function counter(keyPrefix: string, points: number, shared: SharedCounts | undefined) {
  if (!shared) {
    const count = countWindows();
    return (key: string) => count(key, 1, windowSeconds, Date.now());
  }
  const limiter = shared.limiter(new RateLimiterMemory({ points, duration: windowSeconds, keyPrefix }));
  return async (key: string): Promise<Window> => {
    // The library rejects with the state of the window, which is no error.
    const state = await limiter.consume(key).catch((thrown: unknown) => {
      if (thrown instanceof RateLimiterRes) return thrown;
      throw thrown;
    });
    return { count: state.consumedPoints, endsAt: Date.now() + state.msBeforeNext };
  };
}

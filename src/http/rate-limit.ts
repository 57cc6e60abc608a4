import type { RateLimiterRes } from 'rate-limiter-flexible';
import RateLimiterMemory from 'rate-limiter-flexible/lib/RateLimiterMemory.js';

import { HttpError } from './errors.ts';
import type { HeaderList } from './headers.ts';
import { networkOf } from './networks.ts';
import type { Limiter, SharedCounts } from './shared-rate-limit.ts';

const windowSeconds = 60;
const refusalsPerWindow = 60;

export interface Counted {
  isAllowed: boolean;
  headers: HeaderList;
  retryAfterSeconds: number;
}

/** A key with its project, or a member. */
export interface Caller {
  readonly id: string;
  readonly project_id: string;
}

export interface RateLimit {
  /** Counts a request of a known caller, and returns the tighter limit. */
  countRequest(caller: Caller): Promise<Counted>;
  /** Counts the rest of what it costs; not allowed where others had taken all that was left meanwhile. */
  countRest(caller: Caller, points: number): Promise<Counted>;
  /** Counts a refusal to an address (IPv6: to its /64); throws `rate_limited` from the sixty-first in a minute on. */
  countRefusal(address: string): Promise<void>;
}

const unlimited: Counted = { isAllowed: true, headers: [], retryAfterSeconds: 0 };
const notLimiting: RateLimit = {
  countRequest: async () => unlimited,
  countRest: async () => unlimited,
  countRefusal: async () => undefined,
};

interface Limits {
  /** Maximum requests per minute for each key or member; 0 switches all limits off. */
  perMinute: number;
  /** Maximum requests per minute for all keys of a project; 0 means no limit. */
  ofProject: number;
}

/**
 * Fixed windows of a minute, each starting with its first request. Without Redis, or while it is unreachable, each process
 * counts for itself.
 */
export function rateLimit(
  { perMinute, ofProject }: Limits,
  shared?: SharedCounts,
  callers: 'key' | 'session' = 'key',
): RateLimit {
  if (perMinute === 0) return notLimiting;
  const limiterOf = (name: string, points: number): Limiter => {
    // Without a prefix, the id of a key is the same string each time, which a Map finds faster.
    const own = new RateLimiterMemory({ points, duration: windowSeconds, keyPrefix: '' });
    return shared?.limiter(name, own) ?? own;
  };
  const requests = limiterOf(callers, perMinute);
  const projects = ofProject === 0 ? undefined : limiterOf('project', ofProject);
  const refusals = limiterOf('address', refusalsPerWindow);
  // `penalty` counts as `consume` does, and resolves where there were too many.
  const count = async ({ id, project_id: projectId }: Caller, points: number, rest = 0): Promise<Counted> => {
    const own = await requests.penalty(id, points);
    // Requests beyond the key's limit do not count against the project.
    if (!projects || own.consumedPoints - rest > perMinute) return judged(own, perMinute, rest);
    const together = await projects.penalty(projectId, points);
    const isTighter = ofProject - together.consumedPoints < perMinute - own.consumedPoints;
    return isTighter ? judged(together, ofProject, rest) : judged(own, perMinute, rest);
  };
  return {
    countRequest: (caller) => count(caller, 1),
    countRest: (caller, points) => count(caller, points, points),
    countRefusal: async (address) => {
      const network = networkOf(address);
      const window = await refusals.penalty(shared?.hide(network) ?? network, 1);
      const counted = judged(window, refusalsPerWindow);
      if (!counted.isAllowed) throw tooMany(counted);
    },
  };
}

export function tooMany({ retryAfterSeconds }: Counted): HttpError {
  return new HttpError('rate_limited', ['retry-after', String(retryAfterSeconds)]);
}

function judged({ consumedPoints, msBeforeNext }: RateLimiterRes, limit: number, rest = 0): Counted {
  // A clock that was set back makes the window look longer than it is.
  const msLeft = Math.min(msBeforeNext, windowSeconds * 1000);
  return {
    isAllowed: consumedPoints - rest <= limit,
    headers: [
      'x-ratelimit-limit',
      String(limit),
      'x-ratelimit-remaining',
      String(Math.max(0, limit - consumedPoints)),
      'x-ratelimit-reset',
      String(Math.ceil((Date.now() + msLeft) / 1000)),
    ],
    retryAfterSeconds: Math.max(1, Math.ceil(msLeft / 1000)),
  };
}

import type { IncomingMessage } from 'node:http';

import type { RateLimiterRes } from 'rate-limiter-flexible';
import RateLimiterMemory from 'rate-limiter-flexible/lib/RateLimiterMemory.js';

import type { Actor } from '../actor.ts';
import { clientAddress, networkOf } from './client-address.ts';
import { HttpError } from './errors.ts';
import type { HeaderList } from './headers.ts';
import type { Limiter, SharedCounts } from './shared-rate-limit.ts';

const windowSeconds = 60;
const refusalsPerWindow = 60;

export interface Counted {
  isAllowed: boolean;
  headers: HeaderList;
  retryAfterSeconds: number;
}

type Spender = Pick<Actor, 'id' | 'projectId'>;

/** Counts a request, or the `rest` of what one costs, which may overdraw what is left. Returns the tighter limit. */
export type RateLimit = (spender: Spender, rest?: number) => Promise<Counted>;

/** Limits in fixed windows of a minute. `perMinute` 0 switches both limits off, `ofProject` 0 that of projects. */
export function rateLimit(
  { perMinute, ofProject }: { perMinute: number; ofProject: number },
  shared?: SharedCounts,
  spenders: 'key' | 'session' = 'key',
): RateLimit {
  if (perMinute === 0) return async () => ({ isAllowed: true, headers: [], retryAfterSeconds: 0 });
  const requests = limiterOf(spenders, perMinute, shared);
  const projects = ofProject === 0 ? undefined : limiterOf('project', ofProject, shared);
  return async ({ id, projectId }, rest = 0) => {
    const points = rest || 1;
    // `penalty` counts as `consume` does, and resolves where there were too many.
    const own = await requests.penalty(id, points);
    // Requests beyond the key's limit do not count against the project.
    if (!projects || own.consumedPoints - rest > perMinute) return judged(own, perMinute, rest);
    const together = await projects.penalty(projectId, points);
    const isTighter = ofProject - together.consumedPoints < perMinute - own.consumedPoints;
    return isTighter ? judged(together, ofProject, rest) : judged(own, perMinute, rest);
  };
}

/** Counts a refusal to the caller's network; throws `rate_limited` from the sixty-first in a minute on. */
export type CountRefusal = (exchange: { readonly arrival: { readonly request: IncomingMessage } }) => Promise<void>;

export function refusalLimit(isProxy: (address: string) => boolean, shared?: SharedCounts): CountRefusal {
  const refusals = limiterOf('address', refusalsPerWindow, shared);
  return async ({ arrival }) => {
    const address = clientAddress(arrival.request, isProxy);
    if (address === undefined) return;
    const network = networkOf(address);
    const counted = judged(await refusals.penalty(shared?.hide(network) ?? network, 1), refusalsPerWindow);
    if (!counted.isAllowed) throw tooMany(counted);
  };
}

function limiterOf(name: string, points: number, shared?: SharedCounts): Limiter {
  // Without a prefix, the id of a key is the same string each time, which a Map finds faster.
  const own = new RateLimiterMemory({ points, duration: windowSeconds, keyPrefix: '' });
  return shared?.limiter(name, own) ?? own;
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

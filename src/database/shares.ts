import { AppError } from '../errors.ts';

interface Limits {
  atOnce: number;
  ofProject: number;
  /** Pieces of work of one project that may wait. */
  waiting: number;
}

const waitMs = 5_000;

/** Waiting projects take turns. Throws `unavailable` if too many wait, or for too long; an abort ends a wait. */
export function fairShares({ atOnce, ofProject, waiting: waitingMax }: Limits) {
  let begun = 0;
  const begunOf = new Map<string, number>();
  const waiting = new Map<string, (() => void)[]>();
  const count = (projectId: string, more: 1 | -1) => {
    begun += more;
    const own = (begunOf.get(projectId) ?? 0) + more;
    if (own === 0) begunOf.delete(projectId);
    else begunOf.set(projectId, own);
  };
  const isFree = (projectId: string) => begun < atOnce && (begunOf.get(projectId) ?? 0) < ofProject;
  const passOn = () => {
    for (const [projectId, queue] of waiting) {
      if (!isFree(projectId)) continue;
      waiting.delete(projectId);
      const go = queue.shift();
      if (queue.length > 0) waiting.set(projectId, queue);
      count(projectId, 1);
      return go?.();
    }
  };
  const turn = (projectId: string, signal: AbortSignal | undefined): Promise<void> => {
    signal?.throwIfAborted();
    const queue = waiting.get(projectId) ?? [];
    if (queue.length >= waitingMax) throw tooMany();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    queue.push(resolve);
    waiting.set(projectId, queue);
    const giveUp = () => {
      const place = queue.indexOf(resolve);
      if (place === -1) return;
      queue.splice(place, 1);
      if (queue.length === 0) waiting.delete(projectId);
      reject(signal?.reason as Error);
    };
    signal?.addEventListener('abort', giveUp, { once: true });
    return promise;
  };
  return async <T>(projectId: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> => {
    const since = performance.now();
    if (isFree(projectId)) count(projectId, 1);
    else await turn(projectId, signal);
    try {
      if (performance.now() - since > waitMs) throw tooMany();
      return await work();
    } finally {
      count(projectId, -1);
      passOn();
    }
  };
}

function tooMany(): AppError {
  return new AppError('unavailable', 'Too many searches or look-ups of one project wait for each other; try again.');
}

import type { Logger } from 'pino';

import type { Config } from '../../config.ts';
import type { ToWorker } from './worker-messages.ts';
import {
  errorOf,
  startWorker,
  type WorkerEnd,
  type WorkerEvents,
  type WorkerProcess,
} from './worker-process.ts';

// What a worker itself takes at most, and a bit.
const stopWithinMs = 9_000;
const failedStartsMax = 5;

export interface Pool extends AsyncDisposable {
  /** The address, as soon as all listen; rejects where one cannot. */
  listening: Promise<string>;
  /** Rejects where no worker listens and the last five could not. */
  failed: Promise<never>;
  /** Tells it to all that listen, and returns their numbers. */
  tellAll(message: ToWorker): number[];
  /** Ends them at once. */
  kill(): void;
}

export interface PoolOptions {
  config: Config;
  log: Logger;
  onMessage: WorkerEvents['onMessage'];
  /** A worker has ended that was to go on. */
  onLoss: (id: number) => void;
}

/** As many workers as the settings say; one that ends is replaced. Disposed of, it stops them gracefully. */
export function openPool({ config, log, onMessage, onLoss }: PoolOptions): Pool {
  const workers = new Set<WorkerProcess>();
  const listening = Promise.withResolvers<string>();
  const failed = Promise.withResolvers<never>();
  const stopped = Promise.withResolvers<void>();
  // Whoever stops before waits for neither.
  for (const { promise } of [listening, failed]) promise.catch(() => undefined);
  const pauses = growingPauses();
  let state: 'starting' | 'serving' | 'stopping' = 'starting';
  let failedStarts = 0;

  const listeners = () => [...workers].filter(({ isListening }) => isListening);
  const start = () => void workers.add(startWorker(config, { onMessage, onListening, onEnd }));
  const onListening = ({ pid }: WorkerProcess, address: string) => {
    failedStarts = 0;
    if (state === 'serving') log.info({ pid }, 'a new worker listens');
    if (state !== 'starting' || listeners().length < config.workers) return;
    state = 'serving';
    listening.resolve(address);
  };
  const onEnd = (worker: WorkerProcess, end: WorkerEnd) => {
    workers.delete(worker);
    if (state === 'starting') listening.reject(errorOf(end));
    if (state === 'serving') replace(worker, end);
    if (state === 'stopping' && workers.size === 0) stopped.resolve();
  };
  const replace = ({ id, pid, isListening }: WorkerProcess, end: WorkerEnd) => {
    onLoss(id);
    if (!isListening) failedStarts++;
    if (failedStarts >= failedStartsMax && listeners().length === 0) return failed.reject(errorOf(end));
    const { code, signal, failure } = end;
    const pause_ms = pauses.before(start, end.livedMs);
    log.warn({ pid, code, signal, reason: failure?.message, pause_ms }, 'a worker has ended and is replaced');
  };
  const kill = () => {
    for (const worker of workers) worker.kill();
  };

  for (let count = 0; count < config.workers; count++) start();
  return {
    listening: listening.promise,
    failed: failed.promise,
    kill,
    tellAll: (message) => {
      for (const worker of listeners()) worker.tell(message);
      return listeners().map(({ id }) => id);
    },
    [Symbol.asyncDispose]: async () => {
      state = 'stopping';
      pauses.cancel();
      if (workers.size === 0) return;
      for (const worker of workers) worker.tell({ kind: 'stop' });
      const late = setTimeout(() => {
        log.warn({ pids: [...workers].map(({ pid }) => pid) }, 'workers did not stop in time and are killed');
        kill();
      }, stopWithinMs);
      await stopped.promise;
      clearTimeout(late);
    },
  };
}

const steadyAfterMs = 60_000;
const pauseMs = 100;
const pauseMsMax = 30_000;

/** Pauses that grow with every worker that did not last a minute, so that a crash loop burns no machine. */
function growingPauses() {
  const timers = new Set<NodeJS.Timeout>();
  let early = 0;
  return {
    /** Starts after a pause, whose length it returns. */
    before: (start: () => void, livedMs: number): number => {
      early = livedMs < steadyAfterMs ? early + 1 : 0;
      const pause = Math.min(pauseMs * 2 ** early, pauseMsMax);
      const timer = setTimeout(() => {
        timers.delete(timer);
        start();
      }, pause);
      timers.add(timer);
      return pause;
    },
    cancel: () => {
      for (const timer of timers) clearTimeout(timer);
    },
  };
}

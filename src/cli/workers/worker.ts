import cluster from 'node:cluster';

import type { Logger } from 'pino';

import type { Config } from '../../config.ts';
import { AppError } from '../../errors.ts';
import type { SharedCounts } from '../../http/limits/shared-counts.ts';
import { openWorkerCounts } from '../../http/limits/worker-counts.ts';
import { createLog } from '../../observability/log.ts';
import type { Metrics } from '../../observability/metrics.ts';
import { drainWhenUncaught } from '../../observability/uncaught.ts';
import { endSoon, stopSignal } from '../listen.ts';
import { openMetricsOf, openRedisCounts } from '../serve.ts';
import { runService } from '../service.ts';
import type { ToPrimary, ToWorker } from './worker-messages.ts';

/** Serves as one of the processes of `serveByWorkers`, until that says so, is gone, or a signal comes. */
export async function work(): Promise<void> {
  const primary = connect();
  try {
    const config = await Promise.race([primary.config, primary.stopped]);
    if (config) await serve(config, primary);
    endSoon();
  } catch (error) {
    // The primary says it, once for all workers.
    const code = error instanceof AppError ? error.code : undefined;
    primary.tell({ kind: 'failed', code, message: error instanceof Error ? error.message : String(error) });
    process.exitCode = 1;
  }
  if (process.connected) process.disconnect();
}

type Primary = ReturnType<typeof connect>;

function connect() {
  const config = Promise.withResolvers<Config>();
  const stopped = Promise.withResolvers<void>();
  const listeners: ((message: ToWorker) => void)[] = [];
  process.on('message', (message: ToWorker) => {
    if (message.kind === 'serve') config.resolve(message.config);
    else if (message.kind === 'stop') stopped.resolve();
    else for (const listener of listeners) listener(message);
  });
  // Else Node ends a worker at once where its primary has died, and with it the answers in flight.
  if (cluster.worker) cluster.worker.exitedAfterDisconnect = true;
  process.once('disconnect', stopped.resolve);
  return {
    config: config.promise,
    stopped: stopped.promise,
    listen: (listener: (message: ToWorker) => void) => void listeners.push(listener),
    /** False where the primary is gone. */
    tell: (message: ToPrimary): boolean => {
      if (!process.connected) return false;
      process.send?.(message, undefined, undefined, () => undefined);
      return true;
    },
  };
}

async function serve(config: Config, primary: Primary): Promise<void> {
  // Before anything that takes time, so that a signal to the whole group is never lost.
  const signalled = stopSignal();
  const log = await createLog(config.logLevel, { pid: process.pid });
  const failed = drainWhenUncaught(log.logger);
  const metrics = await openMetricsOf(config);
  primary.listen(({ kind }) => {
    if (kind === 'measure') void tellMetrics(primary, metrics);
  });
  await runService(config, {
    log,
    metrics,
    openCounts: () => openCounts(config, primary, log.logger),
    untilStopped: (address) => {
      primary.tell({ kind: 'listening', address });
      return Promise.race([signalled, primary.stopped, failed]);
    },
  });
  await tellMetrics(primary, metrics);
}

async function tellMetrics(primary: Primary, metrics: Metrics | undefined): Promise<void> {
  if (metrics) primary.tell({ kind: 'measured', snapshot: await metrics.snapshot() });
}

async function openCounts(config: Config, primary: Primary, logger: Logger): Promise<SharedCounts | null> {
  if (config.rateLimit === 0 || config.redisUrl !== '') return openRedisCounts(config, logger);
  const counts = openWorkerCounts((asked) => primary.tell({ kind: 'count', counts: asked }), logger);
  primary.listen((message) => {
    if (message.kind === 'counted') counts.receive(message.counts);
  });
  return counts;
}

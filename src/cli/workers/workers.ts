import cluster from 'node:cluster';

import type { Logger } from 'pino';

import type { Config } from '../../config.ts';
import { AppError } from '../../errors.ts';
import { primaryCounts } from '../../http/limits/primary-counts.ts';
import { createLog } from '../../observability/log.ts';
import { drainWhenUncaught } from '../../observability/uncaught.ts';
import { endSoon, stopSignal } from '../listen.ts';
import { openCurrentStore } from '../open.ts';
import { packageVersion } from '../parts.ts';
import { startMetricsServer } from '../serve.ts';
import { openPool, type Pool } from './worker-pool.ts';

/**
 * Serves by several processes on this machine until SIGTERM or SIGINT. This one, the primary, answers no
 * requests: it checks, starts, counts for the rate limit, replaces and stops.
 */
export async function serveByWorkers(config: Config): Promise<void> {
  if (!cluster.isPrimary) {
    throw new AppError('settings', 'Something else runs this as a worker already; set ROSTER_WORKERS to 1.');
  }
  const { logger } = await createLog(config.logLevel);
  const failed = drainWhenUncaught(logger);
  await requireStore(config);
  cluster.setupPrimary({ args: ['worker'] });
  const stopped = stopSignal();
  {
    await using undo = new AsyncDisposableStack();
    const metrics = await openMetrics(config, logger, undo, () => pool.tellAll({ kind: 'measure' }));
    const count = primaryCounts();
    const pool: Pool = undo.use(
      openPool({
        config,
        log: logger,
        onMessage: ({ id, tell }, message) => {
          if (message.kind === 'count') tell({ kind: 'counted', counts: count(message.counts) });
          else metrics?.receive(id, message.snapshot);
        },
        onLoss: (id) => metrics?.keep(id),
      }),
    );
    const address = await Promise.race([pool.listening, stopped.then(() => undefined), failed]);
    if (address !== undefined) logger.info(`${config.workers} workers listening at ${address}`);
    const signal = await Promise.race([stopped, failed, pool.failed]);
    endAtNextSignal(pool);
    logger.info({ signal }, 'stopping');
  }
  endSoon();
  logger.info('stopped');
}

/** So that a mistake is one sentence, and workers that start together find nothing to migrate. */
async function requireStore({ databaseUrl, rowSecurity }: Config): Promise<void> {
  await using _store = await openCurrentStore(databaseUrl, { serving: true, rowSecurity });
}

async function openMetrics(config: Config, logger: Logger, undo: AsyncDisposableStack, ask: () => number[]) {
  if (config.metricsPort === 0) return null;
  const { collectWorkerMetrics } = await import('../../observability/worker-metrics.ts');
  const metrics = collectWorkerMetrics(packageVersion(), ask);
  undo.use(await startMetricsServer(config.metricsPort, metrics.text, logger));
  return metrics;
}

// The workers are at their last answers, and one of them may hang.
function endAtNextSignal(pool: Pool): void {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      pool.kill();
      process.kill(process.pid, signal);
    });
  }
}

import type { Command } from 'commander';
import type { Logger } from 'pino';

import { type Config, readConfig } from '../config.ts';
import type { Metrics } from '../observability/metrics.ts';
import { drainWhenUncaught } from '../observability/uncaught.ts';
import { UsageError } from './output.ts';
import { examples, packageVersion } from './parts.ts';

export function serveCommand(parent: Command): void {
  parent
    .command('serve')
    .description('serve the API until SIGTERM or SIGINT')
    .addHelpText(
      'after',
      examples(
        'roster serve',
        'HOST=0.0.0.0 PORT=80 DATABASE_URL=sqlite:/var/lib/roster/roster.db roster serve',
      ),
    )
    .action(async () => {
      const config = readConfig(process.env);
      if (config.workers > 1) return (await import('./workers/workers.ts')).serveByWorkers(config);
      // Loaded here and not above: the help of all commands should not wait for a server.
      const [{ createLog }, { endSoon, stopSignal }, { runService }] = await Promise.all([
        import('../observability/log.ts'),
        import('./listen.ts'),
        import('./service.ts'),
      ]);
      const log = await createLog(config.logLevel);
      const { logger } = log;
      const failed = drainWhenUncaught(logger);
      const metrics = await openMetricsOf(config);
      {
        await using _server = metrics && (await startMetricsServer(config.metricsPort, metrics.text, logger));
        await runService(config, {
          log,
          metrics,
          openCounts: () => openRedisCounts(config, logger),
          untilStopped: async (address) => {
            const stopped = stopSignal();
            logger.info(`listening at ${address}`);
            logger.info({ signal: await Promise.race([stopped, failed]) }, 'stopping');
          },
        });
      }
      endSoon();
      logger.info('stopped');
    });
}

/** What `serve` starts, and nobody else. */
export function workerCommand(parent: Command): void {
  parent.command('worker', { hidden: true }).action(async () => {
    if (process.send === undefined) {
      throw new UsageError('"serve" starts its workers itself; set ROSTER_WORKERS to their number.');
    }
    const { work } = await import('./workers/worker.ts');
    await work();
  });
}

/** What a process measures that serves by these settings; undefined where they switch metrics off. */
export async function openMetricsOf({ metricsPort, databaseUrl }: Config): Promise<Metrics | undefined> {
  if (metricsPort === 0) return undefined;
  const { openMetrics } = await import('../observability/metrics.ts');
  const system = databaseUrl.startsWith('sqlite:') ? 'sqlite' : 'postgresql';
  return openMetrics({ version: packageVersion(), system });
}

/** Serves the text; a port that is taken is a warning. */
export async function startMetricsServer(
  port: number,
  text: () => Promise<string>,
  logger: Logger,
): Promise<AsyncDisposable> {
  const { serveMetrics } = await import('../observability/metrics.ts');
  return serveMetrics(port, text, (reason) => {
    logger.warn({ port, reason }, 'metrics are off: their port cannot be opened');
  });
}

/** The Redis that the settings name; null where they name none, or there is nothing to count. */
export async function openRedisCounts({ redisUrl, rateLimit }: Config, logger: Logger) {
  if (redisUrl === '' || rateLimit === 0) return null;
  const { openSharedCounts } = await import('../http/limits/shared-counts.ts');
  return openSharedCounts(redisUrl, logger);
}

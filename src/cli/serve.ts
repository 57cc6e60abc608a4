import type { Command } from 'commander';
import type { Logger } from 'pino';

import { type Config, readConfig } from '../config.ts';
import { examples } from './parts.ts';

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
      // Loaded here and not above: the help of all commands should not wait for a server.
      const [{ buildApp }, { createLogger }, { openCurrentStore }, { close, listen, stopSignal }] =
        await Promise.all([
          import('../http/app.ts'),
          import('./logger.ts'),
          import('./open.ts'),
          import('./listen.ts'),
        ]);
      const logger = await createLogger(config.logLevel);
      await using store = await openCurrentStore(config.databaseUrl, {
        serving: true,
        rowSecurity: config.rowSecurity,
      });
      await using metrics = await startMetrics(config, logger);
      using sharedCounts = await openCounts(config, logger);
      if (sharedCounts) metrics?.observeCounts(sharedCounts);
      const app = buildApp(store, config, {
        log: logger,
        ...(sharedCounts && { sharedCounts }),
        ...(metrics && { onAnswered: metrics.observe }),
      });
      const stopped = stopSignal();
      logger.info(`listening at ${await listen(app, config)}`);
      logger.info({ signal: await stopped }, 'stopping');
      await close(app);
      logger.info('stopped');
    });
}

async function startMetrics({ metricsPort }: Config, logger: Logger) {
  if (metricsPort === 0) return null;
  const { serveMetrics } = await import('../http/metrics.ts');
  return serveMetrics(metricsPort, (reason) => {
    logger.warn({ port: metricsPort, reason }, 'metrics are off: their port cannot be opened');
  });
}

async function openCounts({ redisUrl, rateLimit }: Config, logger: Logger) {
  if (redisUrl === '' || rateLimit === 0) return null;
  const { openSharedCounts } = await import('../http/shared-counts.ts');
  return openSharedCounts(redisUrl, logger);
}

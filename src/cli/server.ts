import type { Logger } from 'pino';

import { readConfig } from '../config/read-config.ts';
import type { Config } from '../config/settings.ts';
import { engineOf } from '../database/open-store.ts';
import { buildApp } from '../http/app.ts';
import type { McpEndpoint } from '../http/mcp.ts';
import type { SharedCounts } from '../http/shared-rate-limit.ts';
import { jobs } from '../jobs/jobs.ts';
import { watchLosses } from '../jobs/losses.ts';
import { startJobs } from '../jobs/runner.ts';
import { startSender } from '../jobs/sender.ts';
import { createLog } from '../observability/log.ts';
import type { Metrics } from '../observability/metrics.ts';
import { drainWhenUncaught } from '../observability/uncaught.ts';
import type { Store } from '../store.ts';
import { once } from '../values/once.ts';
import { programVersion } from '../version.ts';
import { backupWarnings } from './doctor/backups.ts';
import { linksForOthers, makesDeadLinks, warnIfHereOnly } from './links.ts';
import { listen } from './listen.ts';
import { databaseAt, isNew, naming, openCurrentStore } from './open.ts';
import { outgoingOf } from './outgoing.ts';
import { isLively, note } from './output.ts';
import { requireSqliteForBackups, startServiceBackups } from './service-backups.ts';
import { endSoon, onHangUp, stopSignal } from './signals.ts';
import { mergeIndexBriefly } from './upkeep/index-contacts.ts';

const loadedMcp = once(async () => (await import('../mcp/endpoint.ts')).mcpEndpoint(programVersion));

/** The library takes a megabyte, and is loaded with the first message. */
export const mcp: McpEndpoint = async (message, headers, caller) => (await loadedMcp())(message, headers, caller);

/** Serves until a signal or an uncaught error; resolves when all answers are sent and the store is closed. */
export async function serve(config: Config): Promise<void> {
  const { logger, logAnswer } = await createLog(config.logLevel, isLively(process.stdout));
  requireSqliteForBackups(config);
  const failed = drainWhenUncaught(logger);
  onHangUp(() => readLevelAgain(logger));
  {
    await using opened = new AsyncDisposableStack();
    const metrics = await createMetrics(config, logger, opened);
    const { databaseUrl, binDays } = config;
    const isMade = isNew(databaseUrl);
    const store = opened.use(
      await naming(databaseUrl, () =>
        openCurrentStore(databaseUrl, { serving: true, migrates: true, binDays, onAsked: metrics?.onAsked }),
      ),
    );
    if (isMade) logger.warn(`serving the ${databaseAt(databaseUrl)}, which is new and empty`);
    else logger.info(`serving the ${databaseAt(databaseUrl)}`);
    metrics?.observeStore(() => store.state());
    const sharedCounts = opened.use(await openRedis(config, logger));
    if (sharedCounts) metrics?.observeCounts(sharedCounts);
    const outgoing = outgoingOf(config);
    const app = opened.use(
      buildApp(store, config, {
        log: logger,
        mcp,
        outgoing,
        programVersion,
        ...(sharedCounts && { sharedCounts }),
        ...(metrics && { observeInFlight: metrics.observeInFlight }),
        onAnswered: metrics ? [logAnswer, metrics.onAnswered] : [logAnswer],
      }),
    );
    const { address, warning } = await listen(app.server, config);
    const stopped = stopSignal();
    logger.info(`listening at ${address}`);
    // On a terminal alone: a log may be kept, and the link is a key.
    const setup = process.stdout.isTTY ? offerSetup(store, app.publicUrl()) : tellOfSetup(store, logger);
    // A hint must not keep an opened store from serving.
    await setup.catch((err: unknown) => logger.warn({ err }, 'whether the console is set up cannot be read'));
    const links = makesDeadLinks(config) ? `${linksForOthers.finding}; ${linksForOthers.command}` : [];
    for (const one of [warning ?? [], links, await databaseWarnings(databaseUrl), backupWarnings(config)].flat())
      logger.warn(one);
    opened.use(startJobs(store, config, { log: logger, onDeleted: metrics?.onDeleted }));
    opened.use(startSender(store, outgoing, { log: logger, ...metrics?.observeWebhooks() }));
    opened.use(watchLosses(store, { log: logger, onLost: metrics?.onLost }));
    const backups = opened.use(startServiceBackups(config, logger, metrics));
    logger.info({ signal: await Promise.race([stopped, failed]) }, 'stopping');
    await Promise.all([backups?.[Symbol.asyncDispose](), app.close()]);
    await mergeIndexBriefly(store).catch((err: unknown) => logger.warn({ err }, 'the index was not merged'));
  }
  endSoon();
  logger.info('stopped');
}

async function databaseWarnings(databaseUrl: string): Promise<string[]> {
  if (engineOf(databaseUrl) !== 'postgres') return [];
  const { postgresWarnings } = await import('./doctor/postgres.ts');
  return postgresWarnings(databaseUrl).catch(() => []);
}

/** Reads LOG_LEVEL again at SIGHUP. The other settings are read at the start only. */
function readLevelAgain(logger: Logger): void {
  try {
    const { logLevel } = readConfig(process.env);
    logger.level = logLevel;
    logger.info({ logLevel }, 'SIGHUP: LOG_LEVEL was read again');
  } catch {
    logger.warn('SIGHUP: LOG_LEVEL stays as it was, because the settings have a mistake; "roster settings" names it');
  }
}

async function offerSetup(store: Store, publicUrl: string): Promise<void> {
  const { setupLink } = await import('./setup-link.ts');
  const link = await setupLink(store, publicUrl);
  if (!link) return;
  note(`Open this to set up the console. It works once, until ${link.expires_at}:\n\n  ${link.url}\n`);
  warnIfHereOnly(link.url);
}

async function tellOfSetup(store: Store, logger: Logger): Promise<void> {
  const { waitingProject } = await import('./setup-link.ts');
  const isEmpty = (await store.projects.list()).length === 0;
  const id = isEmpty ? 'ID' : await waitingProject(store);
  if (id === undefined) return;
  const first = isEmpty ? '"roster projects create NAME" makes the first project; ' : '';
  logger.info(`the setup of the console waits: ${first}"roster console setup-link --project ${id}" prints its link`);
}

async function createMetrics(
  { metricsHost: host, metricsPort: port, databaseUrl }: Config,
  logger: Logger,
  opened: AsyncDisposableStack,
): Promise<Metrics | undefined> {
  if (port === 0) return undefined;
  const metrics = await import('../observability/metrics.ts');
  const system = { sqlite: 'sqlite', postgres: 'postgresql' }[engineOf(databaseUrl)];
  const measured = metrics.createMetrics({ version: programVersion, system, jobs: jobs.map(({ name }) => name) });
  opened.use(
    await metrics.serveMetrics({ host, port }, measured.text, (reason) => {
      const advice = 'check ROSTER_METRICS_HOST and ROSTER_METRICS_PORT';
      logger.warn({ host, port, reason }, `metrics are off, because their address cannot be opened; ${advice}`);
    }),
  );
  return measured;
}

async function openRedis({ redisUrl, rateLimit }: Config, logger: Logger): Promise<SharedCounts | null> {
  if (redisUrl === '' || rateLimit === 0) return null;
  const { openSharedCounts } = await import('../http/shared-rate-limit.ts');
  return openSharedCounts(redisUrl, logger);
}

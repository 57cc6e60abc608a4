import type { Config } from '../config.ts';
import { buildApp } from '../http/app.ts';
import type { SharedCounts } from '../http/limits/shared-counts.ts';
import type { ServiceLog } from '../observability/log.ts';
import type { Metrics } from '../observability/metrics.ts';
import { listen } from './listen.ts';
import { openCurrentStore } from './open.ts';

export interface ServiceOptions {
  log: ServiceLog;
  metrics: Metrics | undefined;
  /** Where this process counts together with others; null where it counts for itself. */
  openCounts: () => Promise<SharedCounts | null>;
  /** Told the address once it listens; resolves when there is to be no more work. */
  untilStopped: (address: string) => Promise<unknown>;
}

/** Serves, alone or as a worker; when it resolves, all answers are given and the store is closed. */
export async function runService(
  config: Config,
  { log: { logger, logAnswer }, metrics, openCounts, untilStopped }: ServiceOptions,
): Promise<void> {
  await using store = await openCurrentStore(config.databaseUrl, {
    serving: true,
    rowSecurity: config.rowSecurity,
    onAsked: metrics?.onAsked,
  });
  metrics?.observeStore(() => store.state());
  using sharedCounts = await openCounts();
  if (sharedCounts) metrics?.observeCounts(sharedCounts);
  const app = buildApp(store, config, {
    log: logger,
    ...(sharedCounts && { sharedCounts }),
    ...(metrics && { observeInFlight: metrics.observeInFlight, onRefused: metrics.onRefused }),
    onAnswered: metrics ? [logAnswer, metrics.onAnswered] : [logAnswer],
  });
  await untilStopped(await listen(app, config));
  await app.close();
}

import type { Log } from '../../observability/access-log.ts';
import { ownOrigins } from '../own-origins.ts';
import { buildPipeline, type PipelineParts } from '../pipeline.ts';
import { type RateLimit, rateLimit } from '../rate-limit.ts';
import type { Page, ServedRoutes } from '../router.ts';
import type { SharedCounts } from '../shared-rate-limit.ts';
import { accountPages } from './account.ts';
import { consoleFiles } from './files.ts';
import { consoleGate } from './gate.ts';
import { createPasskeys } from './passkeys.ts';
import { consoleRoutes } from './routes.ts';
import { signInPages } from './sign-in.ts';

// A person who types in the search, or exports, asks more often than an integration should.
const timesOfKey = 10;

interface ConsoleSettings {
  rateLimit: number;
  host?: string;
}

/** Everything under `/console/api`: the operations for members who are signed in, and how they sign in. */
export function openConsole(
  parts: PipelineParts,
  { rateLimit: perMinute, host = '' }: ConsoleSettings,
  {
    log,
    sharedCounts,
    programVersion,
  }: { log: Log; sharedCounts: SharedCounts | undefined; programVersion: string | undefined },
): { served: ServedRoutes; pages: Page[] } {
  const { store, sender, addressOf } = parts;
  // Wrong keys and wrong links share one count for each address.
  const limit: RateLimit = {
    // A project's limit counts its keys only.
    ...rateLimit({ perMinute: perMinute * timesOfKey, ofProject: 0 }, sharedCounts, 'session'),
    countRefusal: (address) => parts.limit.countRefusal(address),
  };
  const [isOwn, passkeys] = [ownOrigins(host, []), createPasskeys(store)];
  const ofConsole = { store, sender, addressOf, log, limit, isOwn, passkeys, programVersion };
  const gate = consoleGate(ofConsole);
  return {
    served: { routes: consoleRoutes, serve: buildPipeline(parts, gate) },
    pages: [...consoleFiles(sender), ...signInPages(ofConsole), ...accountPages(ofConsole, gate)],
  };
}

import { ownOrigins } from '../own-origins.ts';
import { pipeline, type PipelineParts } from '../pipeline.ts';
import { rateLimit } from '../rate-limit.ts';
import type { Endpoint } from '../router.ts';
import type { SharedCounts } from '../shared-rate-limit.ts';
import { accountPages } from './account.ts';
import { consoleFiles } from './files.ts';
import { consoleGate, type GateParts } from './gate.ts';
import { createPasskeys } from './passkeys.ts';
import { consoleRoutes } from './routes.ts';
import { signInPages } from './sign-in.ts';

// A person who types in the search, or exports, asks more often than an integration should.
const timesOfKey = 10;

type ConsoleParts = PipelineParts & Pick<GateParts, 'log'> & { readonly programVersion: string | undefined };

export function consoleEndpoints(
  parts: ConsoleParts,
  { perMinute, host }: { perMinute: number; host: string },
  sharedCounts: SharedCounts | undefined,
): Endpoint[] {
  // A project's limit counts its keys only.
  const limit = rateLimit({ perMinute: perMinute * timesOfKey, ofProject: 0 }, sharedCounts, 'session');
  const ofConsole = { ...parts, limit, isOwn: ownOrigins(host, []), passkeys: createPasskeys(parts.store) };
  const gate = consoleGate(ofConsole);
  return [
    ...consoleRoutes.map(pipeline(parts, gate)),
    ...consoleFiles(),
    ...signInPages(ofConsole),
    ...accountPages(ofConsole, gate),
  ];
}

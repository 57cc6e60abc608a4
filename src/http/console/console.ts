import { once } from '../../values/once.ts';
import { readAllEncoded, readEncoded, sendEncoded } from '../encoded.ts';
import { HttpError } from '../errors.ts';
import type { Exchange } from '../exchange.ts';
import { ownOrigins } from '../origins.ts';
import { pipeline } from '../pipeline.ts';
import { rateLimit } from '../rate-limit.ts';
import type { Endpoint } from '../router.ts';
import type { SharedCounts } from '../shared-rate-limit.ts';
import { accountPages } from './account.ts';
import { consoleGate, type ConsoleParts } from './gate.ts';
import { createPasskeys } from './passkeys.ts';
import { base, consoleRoutes } from './routes.ts';
import { signInPages } from './sign-in.ts';

// A person who types in the search, or exports, asks more often than an integration should.
const timesOfKey = 10;

export function consoleEndpoints(
  parts: Omit<ConsoleParts, 'isOwn' | 'passkeys'>,
  { perMinute, host }: { perMinute: number; host: string },
  sharedCounts: SharedCounts | undefined,
): Endpoint[] {
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

const contentSecurityPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const safety = Object.entries({
  'content-security-policy': contentSecurityPolicy,
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
}).flat();

function consoleFiles(): Endpoint[] {
  const shell = once(async () => readEncoded('console/index.html'));
  const assets = once(async () => readAllEncoded('console/assets/'));
  const serveShell = async (exchange: Exchange) => {
    if (exchange.url.startsWith(`${base}/`)) throw new HttpError('unknown_path');
    await sendEncoded(exchange, await shell(), 'no-cache', safety);
  };
  const shells = ['/sign-in', '/join', '/setup', '/console', '/console/*'];
  return [
    ...shells.map((path): Endpoint => ({ path, serve: serveShell })),
    {
      path: '/console/assets/:name',
      serve: async (exchange, { name = '' }) => {
        const file = (await assets()).get(name);
        if (!file) throw new HttpError('unknown_path');
        // Its name has a digest of its content.
        await sendEncoded(exchange, file, 'public, max-age=31536000, immutable');
      },
    },
  ];
}

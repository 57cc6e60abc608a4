import { setTimeout as pause } from 'node:timers/promises';

import { type Bench, engines, medianOf } from '../bench.ts';
import { run } from '../commands.ts';
import { bare, bareServer, memoryOf, type Serving, startRoster } from '../processes.ts';

export interface StartFigures {
  what: string;
  /** To the first 200, or to the end of a command. */
  ms: number;
  /** A second after the start of a server. */
  idleMiB?: number | undefined;
}

type Once = Omit<StartFigures, 'what'>;

const idleAfterMs = 1_000;

/** Starts of the service on full databases, of a command and of the least that Node can do, in turn. */
export async function measureStarts(bench: Bench): Promise<StartFigures[]> {
  const urls = [];
  for (const engine of engines) urls.push((await bench.setting(engine)).url);
  const [sqlite = '', postgres = ''] = urls;
  const rows: Record<string, () => Promise<Once>> = {
    [bare]: async () => serverStart(await bareServer()),
    '`serve` on SQLite': async () => serverStart(await startRoster(sqlite)),
    '`serve` on PostgreSQL': async () => serverStart(await startRoster(postgres)),
    '`projects list` on SQLite': async () => commandStart(sqlite, 'projects', 'list'),
    '`--version`': async () => commandStart(sqlite, '--version'),
  };
  const found = Object.entries(rows).map(([what, once]) => ({ what, once, starts: [] as Once[] }));
  for (let round = 0; round <= bench.size.starts; round++) {
    bench.say(`start: round ${round} of ${bench.size.starts}`);
    // The first round fills the caches.
    for (const { once, starts } of found) starts[round === 0 ? 0 : round - 1] = await once();
  }
  return found.map(({ what, starts }) => {
    const idleMiB = medianOf(starts, (one) => one.idleMiB ?? 0);
    return { what, ms: medianOf(starts, ({ ms }) => ms), idleMiB: idleMiB > 0 ? idleMiB : undefined };
  });
}

/** Waits until the server is idle, notes what it holds and ends it. */
export async function serverStart(server: Serving): Promise<Once> {
  await using serving = server;
  await pause(idleAfterMs);
  return { ms: serving.startMs, idleMiB: memoryOf(serving.pid) };
}

async function commandStart(url: string, ...args: string[]): Promise<Once> {
  return { ms: (await run({ url }, args)).seconds * 1_000 };
}

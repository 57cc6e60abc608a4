import { type Bench, type Setting, read, write } from '../bench.ts';
import { measure } from '../load.ts';
import { isThere, startDirectus, token, version } from '../peer/directus.ts';
import { idOf } from '../people.ts';
import { memoryOf, type Serving, startRoster } from '../processes.ts';

export interface PeerFigures {
  what: string;
  /** To the first person, in milliseconds. */
  startMs: number;
  readP50: number;
  readP99: number;
  readsPerSecond: number;
  writesPerSecond: number;
  loadedMiB: number;
}

/** Requests a second, which Directus can hold. */
export const steadyRate = 30;
const connections = 8;

interface Requests {
  tokens: readonly string[];
  people: number;
  read: { path: string };
  write: { path: string; body: string };
}

/** Directus and Roster, both on SQLite with as many people. Says so where Directus cannot be had. */
export async function measurePeer(bench: Bench): Promise<PeerFigures[] | { left: string }> {
  if (!bench.mayInstall && !isThere()) return { left: 'Directus is not installed' };
  const setting = await bench.setting('SQLite');
  let directus: Serving;
  try {
    bench.say('peer: install and fill Directus');
    directus = (await startDirectus(setting.people)).server;
  } catch (error) {
    const left = `Directus could not be had: ${String(error).slice(0, 200)}`;
    bench.say(left);
    return { left };
  }
  await using server = directus;
  bench.say('peer: ask Directus and Roster');
  const item = { path: '/items/contacts', body: write.body.slice('{"properties":{'.length, -1) };
  const figures = [
    await figuresOf(bench, `Directus ${version}`, server, {
      tokens: [token],
      people: setting.people,
      read: { path: `${item.path}/{id}` },
      write: { path: item.path, body: `{"id":"{n}",${item.body}` },
    }),
  ];
  await using roster = await startRoster(setting.url, {
    ready: read.path.replace('{id}', idOf(1)),
    token: setting.tokens[0] ?? '',
  });
  figures.push(await figuresOf(bench, 'Roster', roster, ofRoster(setting)));
  return figures;
}

function ofRoster({ tokens, people }: Setting): Requests {
  return { tokens: tokens.slice(0, 1), people, read, write };
}

async function figuresOf({ size }: Bench, what: string, server: Serving, requests: Requests): Promise<PeerFigures> {
  const { tokens, people } = requests;
  const load = { address: server.address, connections, tokens, people, seconds: size.seconds };
  const ask = (asked: { path: string; body?: string }, rate?: number) =>
    measure([server.pid], { ...load, ...asked, ...(rate !== undefined && { rate }) });
  await ask(requests.read);
  const steady = await ask(requests.read, steadyRate);
  const reads = await ask(requests.read);
  const writes = await ask(requests.write);
  return {
    what,
    startMs: server.startMs,
    readP50: steady.p50,
    readP99: steady.p99,
    readsPerSecond: reads.perSecond,
    writesPerSecond: writes.perSecond,
    loadedMiB: memoryOf(server.pid),
  };
}

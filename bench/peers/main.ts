/**
 * Measures what one would otherwise put in front of a table of contacts: installs it from the npm registry into a
 * folder, fills its table, asks for contacts by id, and prints a line of JSON for each. Linux, with npm, a C++
 * compiler, python3 and wrk on the PATH.
 *
 *   node bench/peers/main.ts --folder /tmp/roster-peers --rows 100000 directus parse strapi
 *
 * Figures of one run may be compared with each other, not with those of another machine or run.
 */
import { deepStrictEqual } from 'node:assert';
import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { contactNumber } from '../people.ts';
import { startDirectus } from './directus.ts';
import { askPeer } from './load.ts';
import { startParse } from './parse.ts';
import type { Peer, PeerPlace, People } from './peer.ts';
import { startStrapi } from './strapi.ts';

const starters: Record<string, (place: PeerPlace) => Promise<Peer>> = {
  directus: startDirectus,
  parse: startParse,
  strapi: startStrapi,
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    folder: { type: 'string' },
    rows: { type: 'string', default: '100000' },
    seconds: { type: 'string', default: '5' },
  },
});
if (values.folder === undefined) throw new Error('Name a folder to install into with --folder.');
const folder = resolve(values.folder);
mkdirSync(folder, { recursive: true });
const people: People = { count: Number(values.rows), contact: contactNumber };
for (const name of positionals.length > 0 ? positionals : Object.keys(starters)) {
  const startPeer = starters[name];
  if (!startPeer) throw new Error(`There is no peer ${name}, only ${Object.keys(starters).join(', ')}.`);
  await using peer = await startPeer({ folder, people });
  for (let round = 0; round < 3; round++) {
    await requireContact(peer, 1 + Math.floor(Math.random() * people.count));
  }
  const seconds = Number(values.seconds);
  // The first round warms up.
  await askPeer(peer, { count: people.count, folder, seconds, connections: 8 });
  const answered = await askPeer(peer, { count: people.count, folder, seconds, connections: 8 });
  const { version, node, installedBytes, secondsToFirstAnswer } = peer;
  console.log(
    JSON.stringify({
      name: peer.name,
      version,
      node,
      rows: people.count,
      ...answered,
      residentBytes: peer.residentBytes(),
      secondsToFirstAnswer,
      installedBytes,
    }),
  );
}

async function requireContact(peer: Peer, i: number): Promise<void> {
  const response = await fetch(peer.address + peer.path(i), {
    headers: peer.headers,
    signal: AbortSignal.timeout(30_000),
  });
  deepStrictEqual(peer.contactIn(await response.json()), people.contact(i));
}

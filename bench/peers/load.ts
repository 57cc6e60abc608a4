import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { type Answered, ask, type Load } from '../load.ts';
import type { Peer } from './peer.ts';

// Far more than the busiest peer answers in the seconds of a round.
const pathsMax = 100_000;

/** Asks a peer for contacts at random, out of `count`. */
export function askPeer(
  peer: Peer,
  { count, folder, ...load }: { count: number; folder: string } & Load,
): Promise<Answered> {
  const { address } = peer;
  const pids = () => peer.pids();
  return ask({ address, pids, folder, requests: requestsFor(peer, count, folder) }, load);
}

function requestsFor(peer: Peer, count: number, folder: string): string {
  const paths = Array.from({ length: Math.min(count, pathsMax) }, () =>
    peer.path(1 + Math.floor(Math.random() * count)),
  );
  const file = join(folder, 'paths.txt');
  writeFileSync(file, paths.join('\n'));
  return `
${Object.entries(peer.headers)
  .map(([name, value]) => `wrk.headers['${name}'] = '${value}'`)
  .join('\n')}
local paths = {}
for path in io.lines('${file}') do paths[#paths + 1] = path end
function request() return wrk.format('GET', paths[math.random(#paths)]) end`;
}

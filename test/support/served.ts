import { rmSync } from 'node:fs';

import { openCurrentStore } from '../../src/cli/open.ts';
import type { Store } from '../../src/store.ts';
import { anInstallation, type Installation, serving } from './process.ts';
import type { Ended } from './program.ts';

export interface Served {
  at: Installation;
  store: Store;
  address: string;
  /** Throws where `serve` has ended. */
  check(): void;
}

/** `serve` as shipped on a database of this worker, with a store on the same database. */
async function start(): Promise<Served> {
  const at = await anInstallation();
  const running = await serving(at, { ROSTER_RATE_LIMIT: '0' });
  let ended: Ended | undefined;
  void running.ended.then((end) => (ended = end));
  process.once('exit', () => {
    running.child.kill('SIGKILL');
    rmSync(at.folder, { recursive: true, force: true });
  });
  // Vitest ends a worker by this signal, which would leave out what is to be done at its end.
  process.once('SIGTERM', () => process.exit());
  return {
    at,
    store: await openCurrentStore(at.databaseUrl),
    // Passkeys need a host with a name.
    address: running.address.replace('127.0.0.1', 'localhost'),
    check: () => {
      if (ended) throw new Error(`serve ended during the tests: ${JSON.stringify(ended)}`);
    },
  };
}

let served: Promise<Served> | undefined;

/** The one of this worker, for the projects of all its tests: to start one takes longer than most of them. */
export function serverOfWorker(): Promise<Served> {
  return (served ??= start());
}

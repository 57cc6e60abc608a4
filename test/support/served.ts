import { openCurrentStore } from '../../src/cli/open.ts';
import type { Store } from '../../src/store.ts';
import { anInstallation, type Installation } from './process.ts';
import { addressOf, type Ended } from './program.ts';

export interface Served {
  at: Installation;
  store: Store;
  address: string;
  /** Throws where `serve` has ended. */
  check(): void;
}

/** Its input ends with the process that started it, however that ends: nothing is left of the server then. */
const untilInputEnds = `
  exec 3<&0
  trap '' INT TERM
  "$0" "$@" serve & server=$!
  { cat; kill -9 $server; rm -rf "$TMPDIR"; } <&3 >/dev/null 2>&1 &
  wait $server`;

/** `serve` as shipped on a database of this worker, with a store on the same database. */
async function start(): Promise<Served> {
  const at = await anInstallation();
  const running = at.startUnder('/bin/sh', ['-c', untilInputEnds], {
    ROSTER_RATE_LIMIT: '0',
    // Of the receivers of tests.
    ROSTER_WEBHOOK_ALLOW: '127.0.0.1',
  });
  let ended: Ended | undefined;
  void running.ended.then((end) => (ended = end));
  const address = await addressOf(running);
  return {
    at,
    store: await openCurrentStore(at.databaseUrl),
    // Passkeys need a host with a name.
    address: address.replace('127.0.0.1', 'localhost'),
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

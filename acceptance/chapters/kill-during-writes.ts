import { seededRandom } from '../../test/support/random.ts';
import { versionedContacts } from '../faults/batches.ts';
import { keysModel, type KeysModel, objectionsToTokens, type ListedKey } from '../faults/keys-model.ts';
import type { Guarantee, Trial } from '../guarantee.ts';
import { type Installation, objectionsOfDoctor, populate } from '../installation.ts';

/** SIGKILL at random times of imports, key creation, rotation and revocation. The size is how many met their process. */
export const killDuringWrites: Guarantee = {
  name: 'kill -9 during writes',
  sizes: { smoke: 1, core: 10, full: 300 },
  sizesOnPostgres: { smoke: 0, core: 4, full: 100 },
  engines: ['SQLite', 'PostgreSQL'],
  prove,
};

/** Two installations at a time where it is worth their making, as most of a round is waiting for a start. */
const lanesOf = (size: number) => (size < 10 ? 1 : 2);

async function prove({ install, size, seed, tell }: Trial) {
  const lanes = lanesOf(size);
  const tallies = await Promise.all(
    Array.from({ length: lanes }, async (_, lane) =>
      killInLane(await install(), Math.floor((size + lane) / lanes), seed + lane, tell),
    ),
  );
  const sum = (of: (tally: Tally) => number) => tallies.reduce((total, tally) => total + of(tally), 0);
  const halfWay = sum((tally) => tally.halfWay);
  return {
    tried: sum(({ kills }) => kills),
    measured: `${halfWay} met an import half way`,
    failures: tallies.flatMap(({ failures }) => failures),
    notShown: halfWay === 0 ? ['no kill met an import between two batches'] : [],
  };
}

interface Tally {
  kills: number;
  halfWay: number;
  acknowledged: number;
  failures: string[];
}

const roundsInBlock = 10;
const failuresMax = 20;

async function killInLane(at: Installation, size: number, seed: number, tell: Trial['tell']): Promise<Tally> {
  await populate(at, 1);
  const tally: Tally = { kills: 0, halfWay: 0, acknowledged: 0, failures: [] };
  const random = seededRandom(seed);
  const model = keysModel();
  const works = [importing(at), keysWork(at, model)];
  const isCalibrated = new Set<Work>();
  // Most kills meet their process; where they do not, the delays are off, and that has to be said.
  for (let round = 0; tally.kills < size && round < size * 3 + 5; round += roundsInBlock) {
    // In every other block a service has the database open all the while.
    const beside = (round / roundsInBlock) % 2 === 1 ? await at.serve({ ROSTER_RATE_LIMIT: '0' }) : undefined;
    for (let turn = 0; turn < roundsInBlock && tally.kills < size; turn++) {
      const work = works[random.pick([0, 0, 0, 1, 1])];
      if (!work) continue;
      if (!isCalibrated.has(work)) await work.calibrate();
      isCalibrated.add(work);
      const wrong = [...(await work.round(random, tally)), ...(await objectionsOfDoctor(at))];
      for (const one of wrong) tally.failures.push(`seed ${seed}, kill ${tally.kills}, ${work.name}: ${one}`);
      if (tally.failures.length >= failuresMax) return tally;
    }
    const served = beside ?? (await at.serve({ ROSTER_RATE_LIMIT: '0' }));
    tally.failures.push(...(await objectionsToTokens(served.address, model)));
    served.child.kill('SIGKILL');
    await served.ended;
    tell(`${tally.kills} of ${size} kills`);
  }
  if (tally.kills < size) tally.failures.push(`only ${tally.kills} of ${size} kills met their process`);
  return tally;
}

interface Work {
  name: string;
  /** Runs once without a kill, so that the time it takes is known. */
  calibrate: () => Promise<void>;
  /** One kill, or an end before it; what does not hold afterwards. */
  round: (random: ReturnType<typeof seededRandom>, tally: Tally) => Promise<string[]>;
}

/** Runs a command and kills it at a random moment of the time that it takes; undefined where it was killed. */
function killable(at: Installation) {
  let usualMs = 0;
  const run = async (args: readonly string[], input: string, killAfterMs?: number): Promise<string | undefined> => {
    const startedAt = performance.now();
    const { child, ended } = at.start([...args, '--json']);
    child.stdin?.on('error', () => undefined).end(input);
    const timer = killAfterMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), killAfterMs);
    const { code, signal, stdout, stderr } = await ended;
    clearTimeout(timer);
    if (signal === 'SIGKILL') return undefined;
    if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${stderr}`);
    const ms = performance.now() - startedAt;
    usualMs = usualMs === 0 ? ms : usualMs * 0.8 + ms * 0.2;
    return stdout;
  };
  return {
    run,
    /** The first part is the start of the program, which writes nothing. */
    kill: async (args: readonly string[], input: string, random: ReturnType<typeof seededRandom>, tally: Tally) => {
      const acknowledged = await run(args, input, usualMs * (0.3 + random.below(1_000) / 1_500));
      if (acknowledged === undefined) tally.kills++;
      else tally.acknowledged++;
      return acknowledged;
    },
  };
}

function importing(at: Installation): Work {
  const what = versionedContacts(3);
  const { run, kill } = killable(at);
  const ofShop = ['--format', 'ndjson', '--chatbot', 'shop'];
  const args = ['contacts', 'import', '-', ...ofShop];
  let version = 0;
  const found = async () => {
    const { code, stdout, stderr } = await at.run(['contacts', 'export', ...ofShop]);
    return code === 0 ? what.batchesOf(version, stdout) : `the export ended with ${code}: ${stderr}`;
  };
  return {
    name: 'import',
    calibrate: async () => void (await run(args, what.rows(++version))),
    round: async (random, tally) => {
      const acknowledged = await kill(args, what.rows(++version), random, tally);
      const stored = await found();
      if (typeof stored === 'string') return [stored];
      if (acknowledged !== undefined)
        return stored === what.batches ? [] : [`acknowledged, and only ${stored} batches are there`];
      if (stored > 0 && stored < what.batches) tally.halfWay++;
      const again = await run(args, what.rows(version));
      const { read, rejected } = JSON.parse(again ?? '{}') as { read?: number; rejected?: number };
      const completed = await found();
      return completed === what.batches && read === what.batches * 1_000 && rejected === 0
        ? []
        : [`a second run (${again?.trim() ?? ''}) left ${completed} batches`];
    },
  };
}

function keysWork(at: Installation, model: KeysModel): Work {
  const { run, kill } = killable(at);
  const creation = ['keys', 'create', '--project', 'acme', '--name', 'made'];
  const listed = async () => model.objections(await at.json<ListedKey[]>(['keys', 'list', '--project', 'acme']));
  const noteCreated = (text: string) => {
    const { id, token } = JSON.parse(text) as { id: string; token: string };
    model.created(id, token);
  };
  return {
    name: 'keys',
    calibrate: async () => {
      await listed();
      noteCreated((await run(creation, '')) ?? '');
      await listed();
    },
    round: async (random, tally) => {
      const live = model.live();
      const id = random.pick(live);
      const way = live.length < 3 ? 'create' : random.pick(['create', 'rotate', 'rotate', 'revoke']);
      const args = way === 'create' ? creation : ['keys', way, id];
      const acknowledged = await kill(args, '', random, tally);
      if (acknowledged !== undefined && way === 'create') noteCreated(acknowledged);
      if (acknowledged !== undefined && way === 'revoke') model.revoked(id);
      if (acknowledged !== undefined && way === 'rotate') {
        const successor = JSON.parse(acknowledged) as { id: string; token: string };
        model.rotated(id, successor.id, successor.token);
      }
      return listed();
    },
  };
}

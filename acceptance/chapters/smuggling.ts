import { setTimeout as pause } from 'node:timers/promises';

import { seededRandom } from '../../test/support/random.ts';
import type { Guarantee, Outcome, Trial } from '../guarantee.ts';
import { isOf, idsOf, type Try, type Way, ways, wrongs } from '../hostile/desync.ts';
import { type Front, type FrontName, fronts, programOf, startFront } from '../hostile/fronts.ts';
import { lines } from '../hostile/request-case.ts';
import { variants } from '../hostile/smuggling-variants.ts';
import { openTap, type Tap } from '../hostile/tap.ts';
import { openWire, type Place, type Wire, type WireAnswer } from '../hostile/wire.ts';
import type { Served, Target } from '../installation.ts';

/** Fifty ways to hide a request in another, straight at Roster and through three proxies, in packets of three kinds. */
export const smuggling: Guarantee = {
  name: 'smuggling',
  sizes: { smoke: variants.length, core: 4 * variants.length, full: 12 * variants.length },
  engines: ['SQLite'],
  prove,
};

const places = ['direct', ...fronts] as const;

const betweenPacketsMs = 2;
/** Who waits for more of a request says nothing: that is no answer too many. */
const silentAfterMs = 500;

async function prove({ target, size, seed, tell }: Trial): Promise<Outcome> {
  const at = await target({ ROSTER_RATE_LIMIT: '0' });
  if (!at.served || !at.installation) throw new Error('this is for an instance of its own');
  const failures: string[] = [];
  const notShown: string[] = [];
  let tried = 0;
  const rounds = Math.ceil(size / variants.length);
  for (const [index, place] of places.entries()) {
    const own = ways.slice(0, Math.ceil((rounds - index) / places.length));
    if (own.length === 0) continue;
    const program = place === 'direct' ? '' : programOf(place);
    if (program === undefined) {
      notShown.push(`nothing went through ${place}, as it is not installed`);
      continue;
    }
    const found = await through(place, program, at as Own, own, seed);
    tried += found.tried;
    failures.push(...found.failures);
    tell(`${found.measured}, ${found.failures.length} wrong`);
  }
  return { tried, measured: `${ways.length} ways, ${places.length} places`, failures, notShown };
}

type Own = Target & { served: Served; installation: { folder: string } };

/** Where requests go, and what is known of them there. */
interface Route {
  place: (typeof places)[number];
  reached: Place;
  front: Front | undefined;
  tap: Tap | undefined;
}

async function through(
  place: Route['place'],
  program: string,
  at: Own,
  own: readonly Way[],
  seed: number,
): Promise<Outcome> {
  await using opened = new AsyncDisposableStack();
  const tap = place === 'direct' ? undefined : opened.use(await openTap(at.served.port));
  const front = tap && opened.use(await startFront(place as FrontName, program, tap.port, at.installation.folder));
  const reached = { hostname: '127.0.0.1', port: front?.port ?? at.port, certificate: front?.certificate };
  const route = { place, reached, front, tap };
  const random = seededRandom(seed);
  const others = openCaller(at, route.reached);
  const tries: Try[] = [];
  for (const way of own) {
    for (const variant of variants) {
      const name = `${place}-${tries.length}`.toLowerCase();
      tries.push(await attempt({ variant, way, name, at, route, others, cut: random.below }));
    }
  }
  others.close();
  // The log of the last request is written, and so is that of all before it.
  await at.served.until(new RegExp(`"request_id":"${tries.at(-1)?.name}\\.last"`));
  await pause(silentAfterMs);
  const logged = idsOf(at.served.stdout());
  const seen = front?.seen();
  const failures = tries.flatMap((one) => wrongs(one, logged, seen).map((wrong) => sentence(one, route, wrong)));
  const measured = tap && front ? shared(place, tries, tap, front, failures) : `direct ${tries.length}`;
  return { tried: tries.length, measured, failures };
}

interface Attempted extends Pick<Try, 'variant' | 'way' | 'name'> {
  at: Own;
  route: Route;
  others: Caller;
  cut: (limit: number) => number;
}

/** The variant and a marked request behind it, between those of somebody else. */
async function attempt({ variant, way, name, at, route, others, cut }: Attempted): Promise<Try> {
  const failures = [...(await others.asks(`${name}.first`, 1))];
  const wire = openWire(route.reached, silentAfterMs);
  const after = requestOf(at, `${name}.after`, 2);
  const bytes = Buffer.from(variant.bytes(`${name}.outer`, `${name}.hidden`) + after.text, 'latin1');
  await send(wire, bytes, way, cut);
  const answers: WireAnswer[] = [];
  for (let answer = await wire.next(); typeof answer !== 'string'; answer = await wire.next()) {
    if (answer.status !== 100) answers.push(answer);
    if (answers.length > 3 || answer.headers['x-request-id'] === after.id) break;
  }
  wire.destroy();
  failures.push(...(await others.asks(`${name}.next`, 3)), ...(await others.asks(`${name}.last`, 4)));
  return { variant, way, name, answers, path: after.path, failures };
}

/** How far the variants came, and on what. Where none came or shared a connection, nothing was tried. */
function shared(place: string, tries: readonly Try[], tap: Tap, front: Front, failures: string[]): string {
  const passed = tries.filter(({ name }) => tap.carrierOf(`${name}.outer`) !== undefined);
  const together = passed.filter(({ name }) => tap.carrierOf(`${name}.outer`) === tap.carrierOf(`${name}.next`));
  if (passed.length === 0) failures.push(`${place} passed no variant on`);
  if (together.length === 0) failures.push(`through ${place} nobody's request followed a variant on its connection`);
  return `${place} ${front.version} ${tries.length}: ${passed.length} passed on, ${together.length} of them with another's request behind on one connection, ${tap.connections()} connections`;
}

/** Somebody else, whose connection is kept for as long as it lasts. */
interface Caller {
  /** Asks, and says what is wrong with the answer. */
  asks(id: string, contact: number): Promise<string[]>;
  close(): void;
}

function openCaller(at: Own, place: Place): Caller {
  let wire: Wire | undefined;
  return {
    asks: async (id, contact) => {
      const { text, path } = requestOf(at, id, contact);
      wire ??= openWire(place);
      wire.send(Buffer.from(text));
      const answer = await wire.next();
      if (typeof answer !== 'string' && isOf(answer, path) && answer.headers['x-request-id'] === id) return [];
      wire.destroy();
      wire = undefined;
      return [`${id} of somebody else got ${JSON.stringify(answer)}`];
    },
    close: () => wire?.destroy(),
  };
}

function requestOf({ token, paths }: Own, id: string, contact: number) {
  const path = paths[contact] ?? '';
  const fields = ['Host: x', `Authorization: Bearer ${token}`, `X-Request-Id: ${id}`];
  return { id, path, text: lines(`GET ${path} HTTP/1.1`, fields) };
}

async function send(wire: Wire, bytes: Buffer, way: Way, cut: (limit: number) => number): Promise<void> {
  const at = 1 + cut(bytes.length - 1);
  const parts =
    way === 'whole'
      ? [bytes]
      : way === 'cut'
        ? [bytes.subarray(0, at), bytes.subarray(at)]
        : bytes
            .toString('latin1')
            .split(/(?<=\n)/)
            .map((line) => Buffer.from(line, 'latin1'));
  for (const [index, part] of parts.entries()) {
    if (index > 0) await pause(betweenPacketsMs);
    wire.send(part);
  }
}

function sentence({ variant, way, name }: Try, { place }: Route, wrong: string): string {
  const bytes = JSON.stringify(variant.bytes(`${name}.outer`, `${name}.hidden`));
  return `${variant.rule}, ${variant.what}, ${place}, ${way}: ${wrong}: ${bytes}`;
}

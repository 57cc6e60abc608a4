import type { seededRandom } from '../../test/support/random.ts';
import type { Outcome } from '../guarantee.ts';
import { type Caller, openCaller, type Reply } from './caller.ts';
import { compare, compareAgain, type Comparison, tMax } from './statistics.ts';

type Random = ReturnType<typeof seededRandom>;

/** Requests of one kind, written out; which of them is asked is left to chance. */
export interface Kind {
  name: string;
  requests: readonly string[];
}

/** What follows an empty line is the body. */
function put(caller: Caller, request: string): Promise<Reply> {
  const end = request.indexOf('\r\n\r\n');
  if (end === -1) return caller.ask(request, { isHead: request.startsWith('HEAD ') });
  return caller.ask(request.slice(0, end + 2), { body: request.slice(end + 4) });
}

/** One after the other. */
async function statusesOf(caller: Caller, { requests }: Kind): Promise<number[]> {
  const statuses: number[] = [];
  for (const request of requests) statuses.push((await put(caller, request)).status);
  return statuses;
}

/** Both kinds in an order left to chance, one after the other on one connection: `size` times in ms of each. */
async function timesOf(
  caller: Caller,
  kinds: readonly [Kind, Kind],
  size: number,
  random: Random,
): Promise<readonly [number[], number[]]> {
  const times: [number[], number[]] = [[], []];
  const [first, second] = times;
  while (first.length < size || second.length < size) {
    const isSecond = first.length >= size || (second.length < size && random.below(2) === 1);
    const { ms } = await put(caller, random.pick(kinds[isSecond ? 1 : 0].requests));
    (isSecond ? second : first).push(ms);
  }
  return times;
}

/** What the clock tells of two kinds, which should be nothing; a failure where it tells one from the other. */
async function compareTimes(
  caller: Caller,
  kinds: readonly [Kind, Kind],
  size: number,
  random: Random,
): Promise<{ last: Comparison; failures: string[] }> {
  const name = `${kinds[0].name} / ${kinds[1].name}`;
  const { last, differs, rounds } = await compareAgain(() => timesOf(caller, kinds, size, random));
  if (!differs) return { last, failures: [] };
  const { t, difference } = last;
  const failure = `${name}: in each of ${rounds} rounds of 2 × ${size} the second took longer or shorter, at last by ${difference.toFixed(2)} µs, t ${t.toFixed(1)}`;
  return { last, failures: [failure] };
}

/** Each pair by itself. */
async function comparePairs(
  caller: Caller,
  pairs: readonly (readonly [Kind, Kind])[],
  size: number,
  random: Random,
): Promise<{ tried: number; measured: string; failures: string[] }> {
  const outcomes = [];
  for (const pair of pairs) outcomes.push(await compareTimes(caller, pair, size, random));
  const largest = Math.max(...outcomes.map(({ last }) => Math.abs(last.t)));
  const visible = Math.max(...outcomes.map(({ last }) => last.visible));
  return {
    tried: 2 * pairs.length * size,
    measured: `largest |t| ${largest.toFixed(1)}; would show ${visible.toFixed(1)} µs`,
    failures: outcomes.flatMap(({ failures }) => failures),
  };
}

const controlSize = 1_000;
const controlsMax = 3;

/** What is not shown where two kinds that take differently long are not told apart: what is found alike then says nothing. */
async function tellsApart(caller: Caller, kinds: readonly [Kind, Kind], random: Random): Promise<string[]> {
  let t = 0;
  for (let tried = 0; tried < controlsMax; tried++) {
    ({ t } = compare(...(await timesOf(caller, kinds, controlSize, random))));
    if (Math.abs(t) >= tMax) return [];
  }
  return [`the clock does not even tell ${kinds.map(({ name }) => name).join(' from ')}: t ${t.toFixed(1)}`];
}

/** All that an answer consists of, but for its moment. */
function written({ statusLine, head, body }: Reply): string {
  return [statusLine, ...head.map((line) => line.replace(/^Date: .+$/, 'Date')), '', body].join('\r\n');
}

/** Which of the kinds are answered otherwise than the first, to the byte. */
async function unlikeTheFirst(caller: Caller, kinds: readonly Kind[]): Promise<string[]> {
  const failures: string[] = [];
  const ask = async (request: string) => written(await put(caller, request));
  const right = await ask(kinds[0]?.requests[0] ?? '');
  for (const { name, requests } of kinds) {
    for (const request of requests) {
      const given = await ask(request);
      if (given !== right) failures.push(`${name}: ${JSON.stringify(request)} gives ${given} instead of ${right}`);
    }
  }
  return failures;
}

interface Alike {
  /** Answered like the first of them, to the byte, in each of the forms. */
  kinds: readonly Kind[];
  forms: readonly ((request: string) => string)[];
  /** What has another answer, so that there is something to tell apart. */
  answered: readonly (readonly [Kind, number])[];
  /** Two that take differently long. */
  control: readonly [Kind, Kind];
  pairs: readonly (readonly [Kind, Kind])[];
}

/** Nothing tells these kinds apart: not a byte but the request id, and not the time. */
export async function proveAlike(
  port: number,
  { kinds, forms, answered, control, pairs }: Alike,
  { size, random }: { size: number; random: Random },
): Promise<Outcome> {
  using caller = await openCaller(port);
  const failures: string[] = [];
  for (const form of forms) {
    const asked = kinds.map(({ name, requests }) => ({ name, requests: requests.slice(0, bytesOf).map(form) }));
    failures.push(...(await unlikeTheFirst(caller, asked)));
  }
  for (const [kind, right] of answered) {
    const statuses = await statusesOf(caller, kind);
    if (statuses.some((status) => status !== right)) failures.push(`${kind.name}: answered by ${statuses.join()}`);
  }
  const notShown = await tellsApart(caller, control, random);
  const compared = await comparePairs(caller, pairs, size, random);
  return { ...compared, failures: [...failures, ...compared.failures], notShown };
}

/** Requests of a kind whose answers are compared. */
const bytesOf = 20;

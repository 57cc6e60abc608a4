import type { Variant } from './smuggling-variants.ts';
import { flawOf } from './verdict.ts';
import type { WireAnswer } from './wire.ts';

/** In one packet; in two; each line in one of its own. */
export const ways = ['whole', 'cut', 'by line'] as const;
export type Way = (typeof ways)[number];

/** What came of a variant. Its ids are its name and, behind a dot, which of the requests it is. */
export interface Try {
  variant: Variant;
  way: Way;
  name: string;
  /** On its own connection, without interim ones. */
  answers: readonly WireAnswer[];
  /** What the request behind it asked for. */
  path: string;
  /** What others have met with meanwhile. */
  failures: readonly string[];
}

type Counts = ReadonlyMap<string, number>;

/**
 * What of it shows that two sides did not agree where a request ends. `seen` is what the proxy took for requests,
 * and undefined where there is none; `logged` is what Roster did.
 */
export function wrongs(one: Try, logged: Counts, seen: Counts | undefined): string[] {
  const { name, answers, path, failures } = one;
  const found = [...failures];
  const ids = answers.map(({ headers }) => headers['x-request-id']).filter((id) => id !== undefined);
  const order = ['outer', 'hidden', 'after'].map((part) => `${name}.${part}`);
  // What is told of no id is the refusal of something broken, and comes when all before it have their answers.
  const own = ids.filter((id) => order.includes(id));
  if (own.join() !== order.filter((id) => own.includes(id)).join()) found.push(`the answers came as ${own.join(', ')}`);
  const behind = answers.find(({ headers }) => headers['x-request-id'] === `${name}.after`);
  if (behind && !isOf(behind, path)) found.push(`the request behind it got ${JSON.stringify(behind)}`);

  const times = (part: string, from: Counts | undefined = logged) => from?.get(`${name}.${part}`) ?? 0;
  const hidden = times('hidden', seen);
  if (times('hidden') > hidden) found.push('Roster alone took what was hidden for a request');
  if (answers.length > 2 + hidden) found.push(`${answers.length} answers to ${2 + hidden} requests`);
  for (const part of ['outer', 'after']) if (times(part) > 1) found.push(`${part} came ${times(part)} times`);
  for (const part of ['first', 'next', 'last']) {
    if (times(part) !== 1) found.push(`another's request, ${part}, came ${times(part)} times`);
    if (seen && times(part, seen) !== 1) found.push(`the proxy says that ${part} came ${times(part, seen)} times`);
  }
  return seen ? found : [...found, ...straightWrongs(one)];
}

/** Without a proxy there is one right answer, and nothing behind what is refused. */
function straightWrongs({ variant: { status }, way, name, answers }: Try): string[] {
  const [first, ...others] = answers;
  const wrong: string[] = [];
  // Its head may be answered before what is broken of its body has come.
  const isRight = first?.status === status || (status === 400 && way !== 'whole' && first?.status === 405);
  if (!isRight) wrong.push(`expected ${status}, got ${first?.status ?? 'nothing'}`);
  const ends = status === 400 || first?.headers['connection'] === 'close';
  if (ends && others.length > 0) wrong.push('something was answered behind what ends the connection');
  if (!ends && others[0]?.headers['x-request-id'] !== `${name}.after`) wrong.push('the request behind it was lost');
  return [...wrong, ...answers.map((answer) => flawOf(answer)).filter((flaw) => flaw !== '')];
}

/** Whether it is the contact of this path. */
export function isOf({ status, body }: WireAnswer, path: string): boolean {
  return status === 200 && body.includes(`"id":"${path.slice(path.lastIndexOf('/') + 1)}"`);
}

/** How many answers of each id a log of Roster has. */
export function idsOf(log: string): Counts {
  const ids = new Map<string, number>();
  for (const [, id = ''] of log.matchAll(/"request_id":"([^"]+)"[^\n]*"msg":"answered"/g)) {
    ids.set(id, (ids.get(id) ?? 0) + 1);
  }
  return ids;
}

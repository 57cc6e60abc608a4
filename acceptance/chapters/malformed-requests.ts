import { seededRandom } from '../../test/support/random.ts';
import type { Guarantee, Outcome, Trial } from '../guarantee.ts';
import { chunkCases } from '../hostile/chunk-cases.ts';
import { type Conversation, type Line, openLine } from '../hostile/conversation.ts';
import { fieldCases } from '../hostile/field-cases.ts';
import { lengthCases } from '../hostile/length-cases.ts';
import { lines, type RequestCase } from '../hostile/request-case.ts';
import { requestLineCases } from '../hostile/request-line-cases.ts';
import { sequenceCases } from '../hostile/sequence-cases.ts';
import type { Target } from '../installation.ts';

/** Every rule of HTTP/1.1 for itself, and good requests with some of their bits turned over. */
export const malformedRequests: Guarantee = {
  name: 'malformed requests',
  sizes: { smoke: 3_000, core: 10_000, full: 50_000 },
  engines: ['SQLite'],
  isHarmless: true,
  prove,
};

/** Every rule of HTTP/1.1 that a request can break, and those that it can stretch. */
const rules = [requestLineCases, fieldCases, lengthCases, chunkCases, sequenceCases];
const linesAtOnce = 8;
/** Without these, less was tried than it seems. */
const statusesToSee = [200, 304, 400, 401, 404, 405, 413, 414, 417, 422, 431];

/** One thing to try on a connection; it says what is wrong. */
type Attempt = (line: Line) => Promise<string>;

async function prove({ target, size, seed }: Trial): Promise<Outcome> {
  const at = await target({ ROSTER_RATE_LIMIT: '0' });
  const random = seededRandom(seed);
  const seen = new Map<number, number>();
  const failures: string[] = [];
  let tried = 0;
  const open = () => {
    const line = openLine(at, at.host);
    const say: Line['say'] = async (...given) => {
      const said = await line.say(...given);
      tried++;
      for (const { status } of said.answers) seen.set(status, (seen.get(status) ?? 0) + 1);
      return said;
    };
    const hangUpAfter: Line['hangUpAfter'] = (...given) => {
      tried++;
      return line.hangUpAfter(...given);
    };
    return { ...line, say, hangUpAfter };
  };
  const before = await goodAnswer(at);

  const made = { host: at.host, token: at.token, path: at.paths[1] ?? '' };
  const cases = rules.flatMap((of) => of(made));
  const left = Math.max(0, size - cases.length);
  const again = Math.min(cases.length, Math.floor(left / 4));
  // All of them where there is room, else others with each seed.
  const some = cases
    .map((one) => ({ one, at: random.below(2 ** 30) }))
    .toSorted((a, b) => a.at - b.at)
    .slice(0, again)
    .map(({ one }) => one);
  const flips = left - 2 * again;
  const attempts = [
    ...cases.map((one) => ofCase(one, at)),
    ...some.map((one) => ofCut(one, random.below)),
    ...some.map((one) => ofHangUp(one, random.below)),
    ...Array.from({ length: flips }, () => ofFlips(random.pick(goodRequests(at)), random.below)),
  ];
  const next = attempts.values();
  const work = async () => {
    using line = open();
    // All of them take from one.
    for (const attempt of next) {
      const wrong = await attempt(line);
      if (wrong !== '') failures.push(wrong);
    }
  };
  await Promise.all(Array.from({ length: linesAtOnce }, work));

  failures.push(...(await isSame(at, before)));
  for (const status of statusesToSee) if (!seen.has(status)) failures.push(`nothing was answered by ${status}`);
  const measured = `${cases.length} rules, ${flips} with flipped bits`;
  return { tried, measured, failures };
}

function ofCase({ what, rule, bytes, statuses, ends, isHead }: RequestCase, { served }: Target): Attempt {
  return async (line) => {
    const said = await line.say(bytes, isHead);
    const given = said.answers.map(({ status }) => status);
    // Somebody's own instance may limit how often it is asked.
    const isRight = (status: number, at: number) => status === statuses[at] || (!served && status === 429);
    const asExpected = given.length === statuses.length && given.every(isRight) && said.ended === ends;
    if (asExpected && said.flaw === '') return '';
    const expected = `${statuses.join(', ')} and the connection ${ends ? 'ended' : 'kept'}`;
    return `${rule}, ${what}: expected ${expected}, ${tell(said)}: ${shown(bytes)}`;
  };
}

/** In two packets, of which the first may be answered before the second comes: another status then, and no other fault. */
function ofCut({ what, rule, bytes, ends, isHead }: RequestCase, below: (limit: number) => number): Attempt {
  const at = below(bytes.length);
  return async (line) => {
    const said = await line.say(bytes, isHead, at);
    return said.flaw === '' && said.ended === ends
      ? ''
      : `${rule}, ${what}, cut after ${at} bytes: ${tell(said)}: ${shown(bytes)}`;
  };
}

/** What is wrong then shows in the process. */
function ofHangUp({ bytes, ends, isHead }: RequestCase, below: (limit: number) => number): Attempt {
  const answers = ends && !isHead && below(2) === 1 ? 1 : 0;
  return async (line) => {
    await line.hangUpAfter(bytes, answers);
    return '';
  };
}

function ofFlips(good: string, below: (limit: number) => number): Attempt {
  const bytes = Buffer.from(good, 'latin1');
  const flips = 1 + below(4);
  for (let flip = 0; flip < flips; flip++) {
    const at = below(bytes.length);
    bytes[at] = (bytes[at] ?? 0) ^ (1 << below(8));
  }
  return async (line) => {
    const said = await line.say(bytes);
    return said.flaw === '' && said.answers.length <= 2 ? '' : `flipped bits, ${tell(said)}: ${shown(bytes)}`;
  };
}

// Lengths are of one digit: whatever becomes of it, the request behind is longer.
function goodRequests({ host, token, paths }: Target): readonly string[] {
  const fields = [`Host: ${host}`, `Authorization: Bearer ${token}`];
  return [
    ...paths.map((path) => lines(`GET ${path} HTTP/1.1`, fields)),
    lines(`GET ${paths[1] ?? ''} HTTP/1.1`, [...fields, 'Accept: */*', 'If-None-Match: "a"', 'X-Request-Id: b']),
    lines('POST /v2/usage/user-seats HTTP/1.1', [...fields, 'Content-Length: 5'], 'hello'),
    lines('POST /v2/usage/user-seats HTTP/1.1', [...fields, 'Transfer-Encoding: chunked'], '5\r\nhello\r\n0\r\n\r\n'),
  ];
}

async function goodAnswer(at: Target): Promise<string> {
  const answer = await fetch(`${at.address}${at.paths[0] ?? ''}`, {
    headers: { authorization: `Bearer ${at.token}`, connection: 'close' },
  }).catch(() => undefined);
  return answer ? `${answer.status} ${await answer.text()}` : 'no answer';
}

/** Whether it is the same process, which has met nothing unforeseen and answers as before. */
async function isSame(at: Target, before: string): Promise<string[]> {
  const after = await goodAnswer(at);
  const isGood = before.startsWith('200 ') && (after === before || (!at.served && after.startsWith('429 ')));
  const failures = isGood ? [] : [`a good request got ${before}, then ${after}`];
  if (!at.served) return failures;
  const { child } = at.served;
  if (child.exitCode !== null || child.signalCode !== null) failures.push('the process has ended');
  const log = at.served.stdout();
  if (log.split('"msg":"listening').length !== 2) failures.push('the process has started anew');
  const unforeseen = /^.*"level":"(?:warn|error|fatal)"(?!.* is a superuser).*$/m.exec(log)?.[0] ?? at.served.stderr();
  if (unforeseen !== '') failures.push(`the process says ${unforeseen}`);
  return failures;
}

function tell({ answers, ended, flaw }: Conversation): string {
  const statuses = answers.map(({ status }) => status).join(', ');
  const last = flaw === '' ? '' : `, ${flaw}: ${JSON.stringify(answers.at(-1) ?? null)}`;
  return `got ${statuses || 'nothing'} and the connection ${ended ? 'ended' : 'kept'}${last}`;
}

const shownMax = 600;

function shown(bytes: Buffer): string {
  return JSON.stringify(bytes.toString('latin1', 0, shownMax));
}

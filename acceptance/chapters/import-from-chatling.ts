import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import {
  aChatling,
  aFakeChatbot,
  aFakeContact,
  type Fake,
  type FakeContact,
  type Fault,
  fakeContacts,
} from '../../test/support/chatling.ts';
import { seededRandom } from '../../test/support/random.ts';
import type { Guarantee, Outcome, Trial } from '../guarantee.ts';
import type { Installation } from '../installation.ts';
import { memoryOf } from '../load/load.ts';

/** An import that is killed again and again, from a source that limits, fails and changes. The size is the number of kills. */
export const importFromChatling: Guarantee = {
  name: 'import from Chatling',
  sizes: { smoke: 0, core: 1, full: 4 },
  engines: ['SQLite', 'PostgreSQL'],
  prove,
};

/** The size is the number of contacts. */
export const memoryOfAnImport: Guarantee = {
  name: 'memory of an import',
  sizes: { smoke: 0, core: 0, full: 1_000_000 },
  engines: ['SQLite'],
  prove: proveMemory,
};

const chatbots = 12;
const contactsForEachKill = 2_000;
const deletedForEachKill = 20;
const addedForEachKill = 10;
// A whole import asks for 80 pages for each kill at least, so none ends before its kill.
const requestsForEachKill = 50;
const requestsForEachChange = 4;
const broken: Fault[] = ['failing', 'cut', 'not JSON', 'without data', 'dropped'];

async function prove({ install, size, seed, tell }: Trial): Promise<Outcome> {
  const random = seededRandom(seed);
  const at = await install();
  await using fake = await aLargeSource(size * contactsForEachKill, random);
  // The rate binds in the full trial alone.
  const ratePerMinute = size > 1 ? 800 : 6_000;
  const options = optionsOf(at, fake, ratePerMinute);
  const changing = changes(fake, random, size);
  const fault = () => {
    const chance = random.below(100);
    if (chance < 5) return 'limited';
    return chance < 6 ? random.pick(broken) : undefined;
  };
  let kills = 0;
  while (kills < size) {
    const { child, ended } = at.start(['import', 'chatling', ...options]);
    let left = requestsForEachKill / 2 + random.below(requestsForEachKill);
    fake.onRequest = () => {
      changing.maybe();
      if (--left === 0) child.kill('SIGKILL');
      return fault();
    };
    const { signal, code, stderr } = await ended;
    if (signal !== 'SIGKILL') return { tried: kills, measured: '', failures: [`it ended with ${code}: ${stderr}`] };
    tell(`${++kills} of ${size} kills, ${fake.asked.length} requests`);
  }
  fake.onRequest = () => {
    changing.maybe();
    return fault();
  };
  const failures: string[] = [];
  const isLate = changing.sinceNow();
  await at.json(['import', 'chatling', ...options]);
  changing.rest();
  const afterImport = await comparisonOf(at, options);
  failures.push(...lostIn(afterImport, isLate));
  await at.json(['import', 'chatling', ...options, '--reconcile']);
  const compared = await comparisonOf(at, options);
  const there = fake.chatbots.reduce((sum, { contacts }) => sum + contacts.length, 0);
  const read = compared.chatbots.reduce((sum, chatbot) => sum + chatbot.read, 0);
  if (!compared.equal) failures.push(`not equal after the reconciliation: ${JSON.stringify(compared)}`);
  if (read !== there) failures.push(`${read} contacts were compared, and the source has ${there}`);
  const most = fake.mostInAMinute();
  if (most > ratePerMinute) failures.push(`${most} requests in a minute, and ${ratePerMinute} are allowed`);
  return {
    tried: kills,
    measured: `${there} contacts, ${fake.asked.length} requests, at most ${most} a minute`,
    failures,
  };
}

type Random = ReturnType<typeof seededRandom>;

interface Report {
  contacts: { read: number; created: number; deleted: number };
}

interface Comparison {
  equal: boolean;
  chatbots: { id: string; read: number; missing: string[]; different: { id: string; fields: string[] }[] }[];
}

async function aLargeSource(count: number, random: Random): Promise<Fake> {
  // One has most of them, as it is in life.
  const sizes = Array.from({ length: chatbots }, (_, place) => (place === 0 ? 6 : random.below(3)));
  const whole = sizes.reduce((sum, one) => sum + one, 0);
  let made = 0;
  const filled = sizes.map((part, place) => {
    const size = place === chatbots - 1 ? count - made : Math.floor((count * part) / (whole + 1));
    made += size;
    return aFakeChatbot(String(1_000_000_000 + place), fakeContacts(size, made * 10));
  });
  return aChatling({ chatbots: filled });
}

/** Deletions and newcomers, spread over the requests. */
function changes(fake: Fake, random: Random, size: number) {
  let [deleted, added, number] = [0, 0, 50_000_000];
  const newcomers: string[] = [];
  const contacts = () => random.pick(fake.chatbots).contacts as FakeContact[];
  const change = () => {
    if (deleted < size * deletedForEachKill) {
      const list = contacts();
      if (list.length > 0) list.splice(random.below(list.length), 1);
      if (list.length > 0) deleted++;
    }
    if (added < size * addedForEachKill && random.below(2) === 0) {
      const contact = aFakeContact(number++);
      contacts().push(contact);
      newcomers.push(contact.id);
      added++;
    }
  };
  return {
    maybe: () => {
      if (random.below(requestsForEachChange) === 0) change();
    },
    rest: () => {
      for (let left = size * deletedForEachKill - deleted; left > 0; left--) change();
    },
    /** Returns a function that says whether a contact was added after this call. */
    sinceNow: () => {
      const before = newcomers.length;
      return (id: string) => newcomers.indexOf(id) >= before;
    },
    deleted: () => deleted,
    added: () => added,
  };
}

function optionsOf(at: Installation, { key, baseUrl }: Fake, rate: number): string[] {
  const file = join(at.folder, 'chatling-key.txt');
  writeFileSync(file, key);
  return ['--project', 'acme', '--key-file', file, '--base-url', baseUrl, '--rate', String(rate)];
}

async function comparisonOf(at: Installation, options: readonly string[]): Promise<Comparison> {
  const { stdout, stderr } = await at.run(['compare', 'chatling', ...options, '--json']);
  if (stdout === '') throw new Error(`the comparison failed: ${stderr}`);
  return JSON.parse(stdout) as Comparison;
}

/** A contact added during the last import may be missing, as the import may already have read its chatbot. */
function lostIn({ chatbots: compared }: Comparison, isLate: (id: string) => boolean): string[] {
  return compared.flatMap(({ id, missing, different }) => [
    ...missing.filter((contact) => !isLate(contact)).map((contact) => `${contact} of chatbot ${id} is lost`),
    ...different.map((one) => `${one.id} of chatbot ${id} differs in ${one.fields.join()}`),
  ]);
}

const memoryMaxMb = 150;
const fastestRate = 100_000;
const lookEveryMs = 100;

async function proveMemory({ install, size, tell }: Trial): Promise<Outcome> {
  const at = await install();
  await using fake = await aChatling({ chatbots: [aFakeChatbot('1000000000', madeWhenRead(size))] });
  const options = optionsOf(at, fake, fastestRate);
  const failures: string[] = [];
  const measured: string[] = [];
  for (const more of [[], ['--reconcile']]) {
    const startedAt = performance.now();
    const { child, ended } = at.start(['import', 'chatling', ...options, ...more, '--json']);
    let most = 0;
    const looking = setInterval(() => (most = Math.max(most, memoryOr0(child.pid))), lookEveryMs);
    const { code, stdout, stderr } = await ended.finally(() => clearInterval(looking));
    if (code !== 0) return { tried: 0, measured: '', failures: [`it ended with ${code}: ${stderr}`] };
    const { read } = (JSON.parse(stdout) as Report).contacts;
    if (read !== size) failures.push(`${read} of ${size} contacts were read`);
    if (most > memoryMaxMb) failures.push(`${most} MB at most, and ${memoryMaxMb} are allowed`);
    measured.push(
      `${most} MB in ${Math.round((performance.now() - startedAt) / 1000)} s${more.length > 0 ? ' (reconciling)' : ''}`,
    );
    tell(measured.join(', '));
    fake.asked.length = 0;
  }
  return { tried: size, measured: measured.join(', '), failures };
}

function madeWhenRead(length: number) {
  return {
    length,
    slice: (from: number, to: number) => fakeContacts(Math.max(0, Math.min(to, length) - from), from),
    find: () => undefined,
  };
}

/** The process may have ended since. */
function memoryOr0(pid: number | undefined): number {
  try {
    return memoryOf(pid ?? 0);
  } catch {
    return 0;
  }
}

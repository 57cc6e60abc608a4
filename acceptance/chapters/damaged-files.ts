import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { openAsker } from '../../test/support/asker.ts';
import { addressOf } from '../../test/support/program.ts';
import { seededRandom } from '../../test/support/random.ts';
import { damages, unusable } from '../faults/damages.ts';
import { objectionToFailure } from '../faults/strace.ts';
import { tryWithheld } from '../faults/withheld.ts';
import type { Guarantee, Trial } from '../guarantee.ts';
import { type Installation, populate } from '../installation.ts';

/** What cannot be used is refused by every command; of a file with a damaged page only what is right is answered. */
export const damagedFiles: Guarantee = {
  name: 'damaged files',
  // Pages, sectors and places of pages that are lost; the files that are no database of ours are tried each time.
  sizes: { smoke: 1, core: 4, full: 120 },
  engines: ['SQLite'],
  prove,
};

const people = 400;

async function prove({ install, size, seed, tell }: Trial) {
  const at = await install();
  const { token } = await populate(at, people);
  await populateOther(at);
  const withheld = size === 1 ? undefined : await tryWithheld(at, token);
  const good = readFileSync(at.file);
  const refused = await tryUnusable(at, good, size);
  const pages = await tryPages(at, good, token, { size, seed, tell });
  return {
    tried: refused.tried + pages.tried + (withheld?.tried ?? 0),
    measured: `${refused.tried} commands refused; ${pages.right} answers right, ${pages.missed} 503 or 404`,
    failures: [...(withheld?.failures ?? []), ...refused.failures, ...pages.failures],
    notShown: withheld?.notShown ?? [],
  };
}

/** Somebody else's people in the same pages: contacts of the same ids in a chatbot of the same id. */
async function populateOther(at: Installation): Promise<void> {
  await at.json(['projects', 'create', 'Other', '--id', 'other']);
  await at.json(['chatbots', 'create', '--project', 'other', '--name', 'Shop', '--id', 'shop']);
  const rows = Array.from({ length: people }, (_, index) =>
    JSON.stringify({ id: `contact-${index}`, name: `Stranger ${index}` }),
  );
  await at.json(['contacts', 'import', '-', '--project', 'other', '--chatbot', 'shop', '--format', 'ndjson'], {
    input: rows.join('\n'),
  });
}

const commands = [
  ['serve'],
  ['keys', 'create', '--project', 'acme', '--name', 'x'],
  ['contacts', 'export', '--chatbot', 'shop', '--project', 'acme'],
  ['migrate'],
  ['backup', 'b.db'],
];

async function tryUnusable(at: Installation, good: Buffer, size: number) {
  const failures: string[] = [];
  let tried = 0;
  for (const [index, { name, make, says }] of (size === 1 ? unusable.slice(0, 2) : unusable).entries()) {
    const asked = size < commands.length * 2 ? commands.filter((_, one) => one === index % commands.length) : commands;
    remove(at.file);
    make(at.file, good);
    const before = bytesOf(at.file);
    await Promise.all(
      asked.map(async (args) => {
        const ended = await refusal(at, args);
        const objection = objectionToFailure(ended);
        if (!ended.stderr.includes(at.file)) failures.push(`${name}, ${args[0]}: names no path: ${ended.stderr}`);
        if (objection !== undefined) failures.push(`${name}, ${args[0]}: ${objection}`);
        else if (!says.test(ended.stderr)) failures.push(`${name}, ${args[0]}: says ${ended.stderr}`);
        tried++;
      }),
    );
    const { code, stdout } = await at.run(['doctor', '--json']);
    const { ok } = JSON.parse(stdout) as { ok: boolean };
    if (code !== 1 || ok) failures.push(`${name}: doctor ended with ${code}: ${stdout}`);
    if (!bytesOf(at.file).equals(before)) failures.push(`${name}: was changed`);
    if (existsSync(join(at.folder, 'b.db'))) failures.push(`${name}: was backed up`);
  }
  return { tried, failures };
}

/** A command that has to end by itself; a service that does start is stopped. */
async function refusal(at: Installation, args: readonly string[]) {
  const running = at.start(args);
  running.child.stdin?.end();
  const started = running.until(/listening at/).then(
    () => running.child.kill('SIGTERM'),
    () => undefined,
  );
  const ended = await running.ended;
  await started;
  return ended;
}

async function tryPages(
  at: Installation,
  good: Buffer,
  token: string,
  { size, seed, tell }: Pick<Trial, 'size' | 'seed' | 'tell'>,
) {
  const random = seededRandom(seed);
  const failures: string[] = [];
  let [right, missed] = [0, 0];
  for (let round = 0; round < size; round++) {
    const [name, damage] = Object.entries(damages)[round % Object.keys(damages).length] ?? [];
    if (name === undefined || damage === undefined) break;
    const bytes = Buffer.from(good);
    const what = `seed ${seed}, ${name} (${damage(bytes, good, random)})`;
    const put = () => {
      remove(at.file);
      writeFileSync(at.file, bytes);
    };
    put();
    const answers = await answersOf(at, token);
    for (const one of answers.wrong) failures.push(`${what}: ${one}`);
    right += answers.right;
    missed += answers.missed;
    if (answers.missed > 0) {
      put();
      const doctor = await at.run(['doctor', '--json']);
      const backup = await at.run(['backup', 'b.db']);
      if (doctor.code !== 1) failures.push(`${what}: ${answers.missed} are missed, and doctor finds nothing`);
      if (backup.code !== 69) failures.push(`${what}: ${answers.missed} are missed, and a backup is made`);
      for (const file of ['b.db', 'b.db.sha256']) rmSync(join(at.folder, file), { force: true });
    }
    if (round % 20 === 19) tell(`${round + 1} of ${size} damaged pages`);
  }
  // One page may be that of the key.
  if (right === 0 && size > 1) failures.push('nothing was answered at all');
  return { tried: size, right, missed, failures };
}

/** Asks a service of the file for everybody; one that refuses to start, in a sentence, misses all. */
async function answersOf(at: Installation, token: string) {
  const running = at.start(['serve'], { ROSTER_RATE_LIMIT: '0' });
  const wrong: string[] = [];
  const address = await addressOf(running).catch(() => undefined);
  if (address === undefined) {
    const objection = objectionToFailure(await running.ended);
    return { right: 0, missed: people, wrong: objection === undefined ? [] : [objection] };
  }
  using asker = openAsker(address);
  let [right, missed] = [0, 0];
  for (let index = 0; index < people; index++) {
    const { status, body } = await asker.get(`/v2/chatbots/shop/contacts/contact-${index}`, token);
    const isRight = body.includes(
      `"id":"contact-${index}","name":"Person ${index}","email":"person${index}@example.com","job_title":null,`,
    );
    if (status === 200 && isRight) right++;
    // A key that cannot be found for damage is refused like any other that is not there.
    else if ([401, 404, 503].includes(status)) missed++;
    else wrong.push(`contact ${index} got ${status} ${body}`);
  }
  const members = await asker.get('/v2/members', token);
  if (![200, 401, 503].includes(members.status)) wrong.push(`the members got ${members.status}`);
  running.child.kill('SIGTERM');
  const { code } = await running.ended;
  if (code !== 0) wrong.push(`the service ended with ${code}`);
  return { right, missed, wrong };
}

function bytesOf(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch {
    return Buffer.alloc(0);
  }
}

function remove(file: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true, recursive: true });
}

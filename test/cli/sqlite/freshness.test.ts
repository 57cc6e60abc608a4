import { randomInt } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';

import { describe, expect, it } from 'vitest';

import { openCurrentStore } from '../../../src/cli/open.ts';
import { type Asker, openAsker } from '../../support/asker.ts';
import { createApiKey } from '../../support/people.ts';
import { aContact, aMember, aProject } from '../../support/people.ts';
import { anInstallation, type Installation, serving } from '../../support/process.ts';
import { seededRandom } from '../../support/random.ts';

const steps = 4_000;
const contacts = 12;
const keys = 4;
const callersMax = 4;

async function fill(at: Installation) {
  await using store = await openCurrentStore(at.databaseUrl);
  const people = Array.from({ length: contacts }, (_, i) => aContact({ id: String(i), name: '0' }));
  const { token, keyId } = await aProject(store, {
    id: 'acme',
    chatbotId: '8839210412',
    contacts: people,
    members: [aMember()],
  });
  const all = [{ token, keyId }];
  while (all.length < keys) {
    const { token, key } = await createApiKey(store, 'acme', { name: 'another' });
    all.push({ token, keyId: key.id });
  }
  return all;
}

/** Another process's writes, and what is true after them. */
function openWriter(path: string, known: { keyId: string }[]) {
  const db = new DatabaseSync(path, { timeout: 5_000 });
  // Nothing here is to outlive a power cut, and the test is about who sees what, not about the disk.
  db.exec('pragma synchronous = off');
  const rename = db.prepare("update contacts set name = ? where project_id = 'acme' and id = ?");
  const remove = db.prepare("delete from contacts where project_id = 'acme' and id = ?");
  const insert = db.prepare(
    `insert into contacts (project_id, chatbot_id, id, name, created_at)
     values ('acme', '8839210412', ?, ?, '2024-06-08T13:38:33+00:00')`,
  );
  const revoke = db.prepare("update api_keys set revoked_at = ? where project_id = 'acme' and id = ?");
  const setStatus = db.prepare("update members set status = ? where project_id = 'acme'");
  // As every write of Roster does, with its event.
  const count = db.prepare("update projects set last_event = last_event + 1 where id = 'acme'");
  const truth = {
    names: Array.from({ length: contacts }, (): string | undefined => '0'),
    revoked: known.map(() => false),
    status: 'Active',
  };
  const write = (step: number, what: number, which: number) => {
    db.exec('begin immediate');
    change(step, what, which);
    count.run();
    db.exec('commit');
  };
  const change = (step: number, what: number, which: number) => {
    if (what === 0) {
      const key = which % keys;
      truth.revoked[key] = !truth.revoked[key];
      revoke.run(truth.revoked[key] ? '2026-01-01T00:00:00+00:00' : null, known[key]?.keyId ?? '');
    } else if (what === 1) {
      truth.status = truth.status === 'Active' ? 'Pending' : 'Active';
      setStatus.run(truth.status);
    } else if (truth.names[which] === undefined) {
      truth.names[which] = String(step);
      insert.run(String(which), String(step));
    } else if (what === 2) {
      truth.names[which] = undefined;
      remove.run(String(which));
    } else {
      truth.names[which] = String(step);
      rename.run(String(step), String(which));
    }
  };
  return { truth, write, [Symbol.dispose]: () => db.close() };
}

describe('what another process has committed', () => {
  it('is in the very next answer, in 4,000 writes and reads in any order', async () => {
    const seed = randomInt(2 ** 31);
    const random = seededRandom(seed);
    await using at = await anInstallation();
    const known = await fill(at);
    const { address } = await serving(at, { ROSTER_RATE_LIMIT: '0' });
    using writer = openWriter(at.databaseUrl.slice('sqlite:'.length), known);
    using askers = new DisposableStack();
    const callers = Array.from({ length: callersMax }, () => askers.use(openAsker(address)));
    const { truth } = writer;
    const reads = { 200: 0, 401: 0, 404: 0 };
    const read = async (asker: Asker, step: number) => {
      const key = random.below(keys);
      const which = random.below(contacts + 1);
      const path = which === contacts ? '/v2/members' : `/v2/chatbots/8839210412/contacts/${which}`;
      const isThere = which === contacts || truth.names[which] !== undefined;
      const expected = truth.revoked[key] ? 401 : isThere ? 200 : 404;
      const fact = which === contacts ? `"status":"${truth.status}"` : `"name":"${truth.names[which]}"`;
      const { status, body } = await asker.get(path, known[key]?.token ?? '');
      if (status !== expected || (status === 200 && !body.includes(fact))) {
        expect([`seed ${seed}, step ${step}`, status, body]).toEqual([expected, fact]);
      }
      reads[expected]++;
    };
    for (let step = 1; step <= steps; step++) {
      writer.write(step, random.below(8), random.below(contacts));
      // All that is asked at once comes after the write, and before the next.
      const asking = callers.slice(0, random.below(callersMax + 1));
      await Promise.all(asking.map((asker) => read(asker, step)));
      step += asking.length;
    }
    expect(Math.min(...Object.values(reads))).toBeGreaterThan(steps / 100);
  });
});

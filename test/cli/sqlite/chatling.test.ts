import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { aMove, comparing, contactsOf, fromSource, importing, type Report } from '../../support/chatling-commands.ts';
import { aChatling, aFakeChatbot, aFakeContact, type FakeState, fakeContacts } from '../../support/chatling.ts';

const chatbotId = '1000000001';
const toChatbot = ['--chatbot', chatbotId, '--project', 'acme'];

/** The source has one chatbot with so many contacts. */
const aMoveOf = (count: number) => aMove({ chatbots: [aFakeChatbot(chatbotId, fakeContacts(count))] });

const pagesAsked = ({ asked }: Pick<FakeState, 'asked'>) =>
  asked.filter(({ path }) => path.endsWith('/contacts')).map(({ query }) => Number(query.get('page')));

describe('import chatling', () => {
  it('goes on where an interrupted and a killed import were, and reads no page of a stored batch again', async () => {
    await using move = await aMoveOf(1_500);
    const { at, fake } = move;
    const stoppedAt = async (signal: 'SIGINT' | 'SIGKILL', last: number) => {
      const running = at.start(['import', 'chatling', ...fromSource(at, fake)]);
      fake.onRequest = (_, page) => {
        if (page === last) running.child.kill(signal);
      };
      return running.ended;
    };
    const { code, stderr } = await stoppedAt('SIGINT', 58);
    expect([code, stderr]).toEqual([130, expect.stringMatching(/Stopped after \d+ contacts.*run it again to go on\./)]);
    await stoppedAt('SIGKILL', 10);
    const kept = 60 - Number(/\d+/.exec(stderr)?.[0]) / 25;
    // A batch of the killed one is stored.
    const left = kept - 36;
    const before = pagesAsked(fake).length;
    const report = await importing(at, fake);
    const after = pagesAsked(fake).slice(before);
    expect(after.filter((page) => page > left && page < kept)).toEqual([]);
    expect(report.contacts['created']).toBe(left * 25);
    expect((await comparing(at, fake)).equal).toBe(true);
  });

  it('stores nothing in a dry run, and counts what it would have stored', async () => {
    await using move = await aMoveOf(60);
    const { at, fake } = move;
    const report = await importing(at, fake, '--dry-run');
    expect(report).toMatchObject({ dry_run: true, contacts: { read: 60, created: 60 }, members: { created: 1 } });
    expect(await at.json(['projects', 'list'])).toEqual([]);
    await importing(at, fake);
    contactsOf(fake).splice(3, 1);
    const again = await importing(at, fake, '--dry-run', '--reconcile');
    expect(again).toMatchObject({ contacts: { read: 59, unchanged: 59, deleted: 1 } });
    expect((await comparing(at, fake)).chatbots[0]?.extra.length).toBe(1);
  });

  it('never takes two people for one, whatever they share, and leaves what Chatling does not have', async () => {
    await using move = await aMoveOf(2);
    const { at, fake } = move;
    const contacts = contactsOf(fake);
    Object.assign(contacts[0] ?? {}, { email: 'ana@example.com', name: 'Ana Ferreira', company: null });
    Object.assign(contacts[1] ?? {}, { email: 'ana@example.com', name: 'Ana Ferreira', company: null });
    await importing(at, fake);
    const first = String(contacts[0]?.id);
    const own = ['first_name=Ana', 'last_name=Ferreira', 'address=1 Example Street', 'external_id=crm-1', 'tags=vip'];
    await at.json(['contacts', 'update', first, ...toChatbot, ...own.flatMap((one) => ['--set', one])]);
    Object.assign(contacts[0] ?? {}, { phone: '+1 555 0199' });
    expect(await importing(at, fake, '--reconcile')).toMatchObject({ contacts: { updated: 1, unchanged: 1 } });
    expect(await at.json(['contacts', 'show', first, ...toChatbot, '--include', 'all'])).toMatchObject({
      phone: '+1 555 0199',
      first_name: 'Ana',
      address: '1 Example Street',
      external_id: 'crm-1',
      tags: ['vip'],
    });
    expect((await comparing(at, fake)).equal).toBe(true);
  });

  it('keeps whoever has an odd value, rejects whoever has nothing, and writes both down', async () => {
    await using move = await aMoveOf(30);
    const { at, fake } = move;
    const contacts = contactsOf(fake);
    Object.assign(contacts[3] ?? {}, { email: 'not an address', created_at: 'yesterday' });
    Object.assign(contacts[5] ?? {}, { name: '', email: null, phone: null, company: null });
    const file = join(at.folder, 'rejected.ndjson');
    const command = ['import', 'chatling', ...fromSource(at, fake), '--rejects', file, '--json'];
    const { code, stdout } = await at.run(command);
    expect([code, JSON.parse(stdout)]).toEqual([
      65,
      expect.objectContaining({
        rejects_file: file,
        contacts: expect.objectContaining({ created: 29, rejected: 1, values_left_out: 1, times_unknown: 1 }),
      }),
    ]);
    const lines = readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    expect(lines).toMatchObject([
      { chatbot_id: chatbotId, id: contacts[3]?.id, roster_reason: expect.stringContaining('email is not an e-mail') },
      { chatbot_id: chatbotId, id: contacts[5]?.id, roster_reason: expect.stringContaining('has none of') },
    ]);
    const [compared] = (await comparing(at, fake)).chatbots;
    expect(compared).toMatchObject({
      missing: [contacts[5]?.id],
      different: [{ id: contacts[3]?.id, fields: ['email'] }],
    });
  });

  it('keeps the time of creation that is stored', async () => {
    await using move = await aMoveOf(1);
    const { at, fake } = move;
    await importing(at, fake);
    Object.assign(contactsOf(fake)[0] ?? {}, { created_at: '2025-01-01T00:00:00+00:00' });
    expect(await importing(at, fake, '--reconcile')).toMatchObject({ contacts: { unchanged: 1 } });
    expect((await comparing(at, fake)).chatbots[0]?.different[0]?.fields).toEqual(['created_at']);
  });

  it('deletes nobody where it could not read everything, and nobody whom the source still has', async () => {
    await using move = await aMoveOf(100);
    const { at, fake } = move;
    await importing(at, fake);
    const contacts = contactsOf(fake);
    const [hidden] = contacts.splice(10, 1);
    fake.onRequest = (path, page) => (path.endsWith('/contacts') && page === 2 ? 'dropped' : undefined);
    const cut = at.start(['import', 'chatling', ...fromSource(at, fake), '--reconcile']);
    await expect.poll(() => pagesAsked(fake).slice(-2)).toEqual([2, 2]);
    cut.child.kill('SIGTERM');
    const { code, stderr } = await cut.ended;
    expect([code, stderr]).toEqual([130, expect.stringMatching(/Stopped after \d+ contacts.*it begins anew/)]);
    fake.onRequest = () => undefined;
    expect((await comparing(at, fake)).chatbots[0]?.extra).toEqual([hidden?.id]);
    // A list that leaves somebody out does not decide alone.
    const chatbot = fake.chatbots[0];
    if (chatbot) chatbot.contacts = Object.assign([...contacts], { find: () => hidden });
    expect(await importing(at, fake, '--reconcile')).toMatchObject({ contacts: { deleted: 0, read: 100 } });
  });

  it('leaves the Owner who is not at the source, and follows an Owner who has handed over', async () => {
    await using move = await aMoveOf(1);
    const { at, fake } = move;
    await at.json(['projects', 'create', 'Acme', '--id', 'acme', '--owner', 'me@example.com']);
    const first = await at.run(['import', 'chatling', ...fromSource(at, fake), '--json', '--reconcile']);
    expect(JSON.parse(first.stdout)).toMatchObject({ members: { rejected: 1, removed: 0 } });
    expect(first.code).toBe(65);
    fake.members = [
      { email: 'grace@example.com', status: 'Active', roles: ['Owner'] },
      { email: 'me@example.com', status: 'Active', roles: ['Viewer'] },
    ];
    expect(await importing(at, fake, '--reconcile')).toMatchObject({ members: { rejected: 0 } });
    expect((await comparing(at, fake)).equal).toBe(true);
  });

  it('removes no member where one of the source cannot be read, and says so', async () => {
    await using move = await aMoveOf(1);
    const { at, fake } = move;
    fake.members.push({ email: 'grace@example.com', status: 'Active', roles: ['Editor'] });
    await importing(at, fake);
    fake.members[1] = { email: 'nobody', status: 'Active', roles: ['Editor'] };
    const { code, stdout, stderr } = await at.run([
      'import',
      'chatling',
      ...fromSource(at, fake),
      '--reconcile',
      '--json',
    ]);
    expect([code, JSON.parse(stdout)]).toMatchObject([65, { members: { rejected: 1, removed: 0 } }]);
    expect(stderr).toMatch(/cannot read a member[^]*--dry-run --rejects FILE/);
    const file = join(at.folder, 'rejected.ndjson');
    await at.run(['import', 'chatling', ...fromSource(at, fake), '--dry-run', '--rejects', file]);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ email: 'nobody' });
  });

  it('reads only the chatbots that are named, and leaves those alone that the source does not have', async () => {
    await using move = await aMoveOf(3);
    const { at, fake } = move;
    fake.chatbots.push(aFakeChatbot('1000000002', [aFakeContact(7)]));
    expect(await importing(at, fake, '--chatbot', '1000000002')).toMatchObject({ contacts: { created: 1 } });
    await at.json(['chatbots', 'create', '--project', 'acme', '--name', 'Own', '--id', 'own']);
    const report = await importing(at, fake, '--reconcile');
    expect(report.chatbots).toMatchObject({ created: 1, unchanged: 1, not_at_source: 1 });
    expect(await comparing(at, fake)).toMatchObject({ equal: false, chatbots: [{}, {}, { id: 'own', found: 'here' }] });
    const unknown = await at.run(['import', 'chatling', ...fromSource(at, fake), '--chatbot', 'nobody']);
    expect([unknown.code, unknown.stderr]).toEqual([69, expect.stringContaining('has no chatbot "nobody"')]);
  });

  it('keeps to the rate across a restart', async () => {
    await using move = await aMoveOf(100);
    const { at, fake } = move;
    const killed = at.start(['import', 'chatling', ...fromSource(at, fake, '1200')]);
    fake.onRequest = (_, page) => {
      if (page === 2) killed.child.kill('SIGKILL');
    };
    await killed.ended;
    fake.onRequest = () => undefined;
    await at.run(['import', 'chatling', ...fromSource(at, fake, '1200')]);
    const gaps = fake.asked.slice(1).map(({ at: time }, index) => time - (fake.asked[index]?.at ?? 0));
    // Fifty milliseconds apart, but for what a busy machine delays.
    const total = gaps.reduce((sum, gap) => sum + gap, 0);
    expect(total / gaps.length).toBeGreaterThan(49);
  });

  it('tells a chatbot that differs from contacts that do, in a comparison', async () => {
    await using move = await aMoveOf(2);
    const { at, fake } = move;
    await importing(at, fake);
    fake.chatbots[0] = { ...aFakeChatbot(chatbotId, fakeContacts(2)), name: 'Another name' };
    const { stdout } = await at.run(['compare', 'chatling', ...fromSource(at, fake)]);
    expect(stdout).toContain(`chatbot ${chatbotId}: 2 contacts\n  differs: the chatbot itself (name)\n`);
  });
});

describe('what cannot work', () => {
  it.each([
    [['--key-file', 'two-keys.txt'], 65, 'must hold one key'],
    [['--base-url', 'ftp://example.com'], 2, 'Use an address such as'],
    [['--base-url', 'https://key@example.com/v2'], 2, 'without a key in it'],
    [['--rate', '0'], 2, 'Allowed are whole numbers from 1'],
  ])('%j ends with %i and a sentence', async (args, code, sentence) => {
    await using move = await aMoveOf(0);
    const { at, fake } = move;
    writeFileSync(join(at.folder, 'two-keys.txt'), 'one two\n');
    const ended = await at.run(['import', 'chatling', ...fromSource(at, fake), ...args]);
    expect([ended.code, ended.stderr]).toEqual([code, expect.stringContaining(sentence)]);
  });

  it('a refused key, an address where nothing answers and a missing database end with 69', async () => {
    await using move = await aMoveOf(1);
    const { at, fake } = move;
    const refused = await at.run(['compare', 'chatling', ...fromSource(at, { ...fake, key: 'another-secret' })]);
    expect([refused.code, refused.stderr]).toEqual([69, expect.stringContaining('refuses the key')]);
    expect(refused.stderr + refused.stdout).not.toContain('another-secret');
    const { baseUrl } = fake;
    const closed = await aChatling();
    await closed[Symbol.asyncDispose]();
    // No address of the loopback, though it leads there.
    const other = closed.baseUrl.replace(/127\.0\.0\.1|localhost/, '0.0.0.0');
    const silent = await at.run(['import', 'chatling', ...fromSource(at, { ...fake, baseUrl: other })]);
    expect([silent.code, silent.stderr]).toEqual([
      69,
      expect.stringContaining('roster: The source cannot be reached; check --base-url and the network.\n'),
    ]);
    const afar = { ...fake, baseUrl: baseUrl.replace('127.0.0.1', '0.0.0.0') };
    const compared = await at.run(['compare', 'chatling', ...fromSource(at, afar)]);
    const texts = [refused, silent, compared].map(({ stderr }) => stderr.includes('travel unencrypted'));
    expect(texts).toEqual([false, true, true]);
    const elsewhere = { DATABASE_URL: `sqlite:${join(at.folder, 'none.db')}` };
    const none = await at.run(['import', 'chatling', ...fromSource(at, { ...fake, baseUrl })], { env: elsewhere });
    expect(none.code).toBe(69);
    const unknown = await at.run(['compare', 'chatling', ...fromSource(at, fake)]);
    expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining('no project with this id')]);
  });

  it('a key may come from stdin', async () => {
    await using move = await aMoveOf(1);
    const { at, fake } = move;
    const args = ['import', 'chatling', ...fromSource(at, fake), '--key-file', '-', '--json'];
    const { stdout } = await at.run(args, { input: `${fake.key}\n` });
    expect((JSON.parse(stdout) as Report).contacts['created']).toBe(1);
  });
});

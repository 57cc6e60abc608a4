import { describe, expect, it } from 'vitest';

import { openCurrentStore } from '../../src/cli/open.ts';
import { suggestInProject } from '../../src/contacts/duplicates/suggest.ts';
import { aMove, comparing, contactsOf, fromSource, importing } from '../support/chatling-commands.ts';
import { aFakeChatbot, aFakeContact, fakeContacts } from '../support/chatling.ts';
import { aContact } from '../support/people.ts';
import { anInstallation, aProjectThere, type Installation, serving } from '../support/process.ts';

/** Sixty contacts in three pages, a chatbot with one page and one without anybody. */
const aSource = () => ({
  chatbots: [
    aFakeChatbot('1000000001', fakeContacts(60)),
    aFakeChatbot('1000000002', fakeContacts(3, 5_000)),
    aFakeChatbot('1000000003', []),
  ],
  members: [
    { email: 'ada@example.com', status: 'Active', roles: ['Owner', 'Billing'] },
    { email: 'grace@example.com', status: 'Pending', roles: ['Editor'] },
  ],
  seats: { used: 2, max: 5 },
});

/** Compares the contacts with one another, as a job of a service does. */
async function suggestAll({ databaseUrl }: Installation): Promise<void> {
  await using store = await openCurrentStore(databaseUrl);
  for await (const _ of suggestInProject(store, 'find-duplicates', 'acme'));
}

/** A project with more than Chatling keeps, in the database of this installation; its token. */
async function aFullProject(at: Installation): Promise<string> {
  const details = { first_name: 'Ana', city: 'Lisbon', tags: ['vip'], attributes: { visits: 3 }, email: null };
  const { token } = await aProjectThere(at, {
    id: 'elsewhere',
    members: [
      { id: '0190b2c4-7d1e-7cc3-9a53-5c7d1f2e8a90', email: 'ada@example.com', status: 'Active', roles: ['Owner'] },
    ],
    contacts: Array.from({ length: 150 }, (_, index) =>
      aContact({ id: `contact-${index}`, external_id: `crm-${index}`, ...details }),
    ),
  });
  return token;
}

describe('import chatling', () => {
  it('takes a project over, so that both sides are equal, and costs few requests the second time', async () => {
    await using move = await aMove(aSource());
    const { at, fake } = move;
    const first = await importing(at, fake);
    expect(first).toMatchObject({
      chatbots: { read: 3, created: 3 },
      contacts: { read: 63, created: 63, times_mended: 7, times_unknown: 0, rejected: 0 },
      members: { read: 2, created: 2 },
      requests: fake.asked.length,
    });
    expect(await comparing(at, fake)).toMatchObject({
      equal: true,
      chatbots: [{ read: 60 }, { read: 3 }, { read: 0 }],
    });
    const show = await at.json<object>(['projects', 'show', 'acme']);
    expect(show).toMatchObject({ name: 'Example Ltd', seats: { used: 2, max: 5 } });
    const chatbot = ['--chatbot', '1000000001', '--project', 'acme'];
    expect(await at.json(['contacts', 'show', aFakeContact(10).id, ...chatbot])).toMatchObject({
      name: 'Person 10',
      created_at: '2024-06-05T00:00:10+00:00',
    });
    contactsOf(fake).push(aFakeContact(60), aFakeContact(61));
    const second = await importing(at, fake);
    expect(second).toMatchObject({ contacts: { created: 2, updated: 0 }, chatbots: { unchanged: 3 } });
    expect(second.requests).toBeLessThan(13);
    expect((await comparing(at, fake)).equal).toBe(true);
  });

  it('leads a merged contact to the one that stays, and counts it as there in a comparison', async () => {
    await using move = await aMove(aSource());
    const { at, fake } = move;
    await importing(at, fake);
    const listed = async () => {
      const { contacts } = await at.json<{ contacts: { id: string }[] }>([
        'contacts',
        'list',
        '--chatbot',
        '1000000002',
      ]);
      return contacts;
    };
    const [one, other] = await listed();
    const [stays, merged] = [String(one?.id), String(other?.id)];
    await at.json(['contacts', 'merge', stays, '--from', merged, '--keep', `name=${stays}`, '--chatbot', '1000000002']);
    const before = await listed();
    expect(before).toHaveLength(2);
    for (const more of [[], ['--reconcile']]) {
      expect((await importing(at, fake, ...more)).contacts).toMatchObject({ created: 0, updated: 0, deleted: 0 });
      expect(await listed()).toEqual(before);
    }
    const making = ['contacts', 'create', '--chatbot', '1000000002', '--set', 'name=Made here'];
    const own = await at.json<{ id: string }>(making);
    await at.json(['contacts', 'merge', own.id, '--from', stays, '--chatbot', '1000000002']);
    expect((await importing(at, fake, '--reconcile')).contacts).toMatchObject({ created: 0, updated: 0, deleted: 0 });
    expect((await listed()).map(({ id }) => id)).toContain(own.id);
    const { chatbots } = await comparing(at, fake);
    expect(chatbots.find(({ id }) => id === '1000000002')).toMatchObject({ missing: [], extra: [] });
  });

  it('counts as equal what a merge filled and an import leaves, and names a value that an import would set back', async () => {
    await using move = await aMove(aSource());
    const { at, fake } = move;
    contactsOf(fake).push({ ...aFakeContact(61), phone: '' }, { ...aFakeContact(62), phone: '+1 555 0162' });
    await importing(at, fake);
    const [stays, merged] = [aFakeContact(61).id, aFakeContact(62).id];
    const merge = ['contacts', 'merge', stays, '--from', merged, '--chatbot', '1000000001'];
    const { merge_id: id } = await at.json<{ merge_id: string }>(merge);
    expect((await importing(at, fake, '--reconcile')).contacts).toMatchObject({ updated: 0, deleted: 0 });
    expect((await comparing(at, fake)).equal).toBe(true);
    await at.json(['contacts', 'unmerge', id, '--chatbot', '1000000001']);
    await at.json([...merge, '--keep', `name=${merged}`]);
    expect(await comparing(at, fake)).toMatchObject({
      equal: false,
      chatbots: [{ different: [{ id: stays, fields: ['name'] }] }, {}, {}],
    });
    expect((await importing(at, fake, '--reconcile')).contacts).toMatchObject({ updated: 1 });
    expect((await comparing(at, fake)).equal).toBe(true);
  });

  it('names new contacts who look like somebody who was there', async () => {
    await using move = await aMove(aSource());
    const { at, fake } = move;
    expect((await importing(at, fake)).look_known).toEqual([]);
    await suggestAll(at);
    const known = { ...aFakeContact(3), phone: '+34 612 555 010', email: '' };
    contactsOf(fake).push({ ...known, id: 'first' });
    await importing(at, fake);
    await suggestAll(at);
    contactsOf(fake).push(aFakeContact(61), { ...known, id: 'second', phone: '0034612555010' });
    expect((await importing(at, fake)).look_known).toEqual(['second']);
  });

  it('ends when its work is done, though the source keeps idle connections open for ever', async () => {
    await using move = await aMove({ keepAliveMs: 0 });
    const { at, fake } = move;
    expect(await at.start(['import', 'chatling', ...fromSource(at, fake)]).ended).toMatchObject({ code: 0 });
    expect(await at.start(['import', 'chatling', ...fromSource(at, { ...fake, key: 'bad' })]).ended).toMatchObject({
      code: 69,
    });
  });

  it('reconciles: takes over what changed, and puts into the bin whom the source no longer has', async () => {
    await using move = await aMove(aSource());
    const { at, fake } = move;
    await importing(at, fake);
    const contacts = contactsOf(fake);
    const [gone] = contacts.splice(7, 1);
    contacts[40] = { ...aFakeContact(41), email: null, company: 'Sample Ltd' };
    fake.members[1] = { email: 'alan@example.com', status: 'Active', roles: ['Admin'] };
    fake.project.name = 'Sample Ltd';
    await at.json(['contacts', 'create', '--chatbot', '1000000002', '--project', 'acme', '--set', 'name=Only Here']);
    const before = await comparing(at, fake);
    expect(before).toMatchObject({
      equal: false,
      project: { different: ['name'] },
      chatbots: [
        { extra: [gone?.id], missing: [], different: [{ id: contacts[40]?.id, fields: ['email', 'company'] }] },
        { extra: [expect.any(String)] },
        { extra: [] },
      ],
      members: { missing: ['alan@example.com'], extra: ['grace@example.com'] },
    });
    const report = await importing(at, fake, '--reconcile');
    expect(report).toMatchObject({
      contacts: { deleted: 2, updated: 1, created: 0 },
      members: { removed: 1, created: 1, unchanged: 1 },
    });
    expect((await comparing(at, fake)).equal).toBe(true);
    const deleted = ['contacts', 'list', '--deleted', '--chatbot', '1000000001', '--project', 'acme'];
    const bin = await at.json<{ contacts: { id: string }[] }>(deleted);
    expect(bin.contacts.map(({ id }) => id)).toEqual([gone?.id]);
  });

  it('takes everything over from another Roster, what Chatling does not have too', async () => {
    await using source = await anInstallation();
    await using at = await anInstallation();
    await at.json(['migrate']);
    const token = await aFullProject(source);
    const served = await serving(source, { ROSTER_RATE_LIMIT: '0' });
    const roster = { baseUrl: `${served.address}/v2`, key: token };
    expect(await importing(at, roster)).toMatchObject({ contacts: { created: 150 }, members: { created: 1 } });
    expect(await comparing(at, roster)).toMatchObject({ equal: true });
    const lookup = [
      'contacts',
      'lookup',
      '--external-id',
      'crm-7',
      '--include',
      'all',
      '--chatbot',
      '8839210412',
      '--project',
      'acme',
    ];
    const [found] = (await at.json<{ contacts: object[] }>(lookup)).contacts;
    expect(found).toMatchObject({ id: 'contact-7', city: 'Lisbon', tags: ['vip'], attributes: { visits: 3 } });
    const again = await importing(at, roster);
    expect(again).toMatchObject({ contacts: { created: 0, updated: 0 } });
    const [member] = (await at.json<{ members: object[] }>(['members', 'list', '--project', 'acme', '--include', 'id']))
      .members;
    expect(member).toMatchObject({ id: '0190b2c4-7d1e-7cc3-9a53-5c7d1f2e8a90' });
    expect((await at.run(['import', 'chatling', ...fromSource(at, roster)])).code).toBe(0);
  });
});

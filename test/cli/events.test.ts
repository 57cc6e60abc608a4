import { beforeAll, afterAll, describe, expect, it } from 'vitest';

import type { Actor } from '../../src/actor.ts';
import { openCurrentStore } from '../../src/cli/open.ts';
import type { Event, NewEvent } from '../../src/events/event.ts';
import { aContact, aMember } from '../support/people.ts';
import { anInstallation, aProjectThere, type Installation } from '../support/process.ts';

interface Listed {
  events: Event[];
  next_cursor: string;
}

const list = ['events', 'list', '--project', 'acme'];

describe('roster events list', () => {
  let at: Installation;
  let keyId: string;
  beforeAll(async () => {
    at = await anInstallation();
    ({ keyId } = await aProjectThere(at, { contacts: [aContact({ id: 'a' }), aContact({ id: 'b' })] }));
  });
  afterAll(() => at[Symbol.asyncDispose]());

  it('shows what was changed and by whom, oldest first, and how to go on', async () => {
    const { code, stdout, stderr } = await at.run(list);
    const [heading = '', ...rows] = stdout.trim().split('\n');
    expect([code, heading]).toEqual([0, expect.stringMatching(/^SEQUENCE +OCCURRED_AT +TYPE +ACTOR +ABOUT +CHANGED$/)]);
    expect(rows).toEqual([
      expect.stringMatching(/^1 .* project\.created +operator cli +- +-$/),
      expect.stringMatching(/^2 .* chatbot\.created +operator cli +8839210412 +-$/),
      expect.stringMatching(/^3 .* contact\.created +operator cli +2 contacts +-$/),
      expect.stringMatching(new RegExp(`^4 .* key\\.created +operator cli +${keyId} +-$`)),
    ]);
    const [, cursor = ''] = /^next: --after (\S+)\n$/.exec(stderr) ?? [];
    expect(await at.json<Listed>([...list, '--after', cursor])).toEqual({ events: [], next_cursor: cursor });
  });

  it('gives whole events with --json, some at a time from a cursor on', async () => {
    const first = await at.json<Listed>([...list, '--limit', '3']);
    expect(first.events[2]).toMatchObject({
      sequence: '3',
      actor: { type: 'operator', id: 'cli' },
      chatbot_id: '8839210412',
      contact_ids: ['a', 'b'],
      changed: null,
    });
    const rest = await at.json<Listed>([...list, '--after', first.next_cursor]);
    expect(rest.events).toMatchObject([{ sequence: '4', type: 'key.created', key_id: keyId }]);
    const ofDesk = await at.json<Listed>([...list, '--chatbot', '8839210412']);
    expect(ofDesk.events.map(({ type }) => type)).toEqual(['chatbot.created', 'contact.created']);
  });
});

const createKey = ['keys', 'create', '--project', 'acme', '--name', 'n'];
const linesIn = (text: string) => text.trim().split('\n');

describe('roster events list --follow', () => {
  it('prints what there is and then each event as it comes, a JSON object a line, until Ctrl-C', async () => {
    await using at = await anInstallation();
    const { keyId } = await aProjectThere(at);
    const following = at.start([...list, '--follow', '--json']);
    await following.until(/"key\.created".*\n/);
    const { id } = await at.json<{ id: string }>(createKey);
    await following.until(new RegExp(`"key_id":"${id}".*\n`));
    following.child.kill('SIGINT');
    const { code, stdout, stderr } = await following.ended;
    const events = linesIn(stdout).map((line) => JSON.parse(line) as Event);
    expect(events.map(({ sequence, key_id }) => [sequence, key_id])).toEqual([
      ['1', null],
      ['2', null],
      ['3', keyId],
      ['4', id],
    ]);
    const [, cursor = ''] = /^next: --after (\S+)\n$/.exec(stderr) ?? [];
    expect([code, await at.json(list.concat('--after', cursor))]).toEqual([0, { events: [], next_cursor: cursor }]);
  });

  it('prints a table that grows, of the types that are asked for', async () => {
    await using at = await anInstallation();
    await aProjectThere(at);
    const following = at.start([...list, '--follow', '--type', 'key.*']);
    await following.until(/key\.created/);
    await at.json(createKey);
    await following.until(/key\.created[^]*key\.created.*\n/);
    following.child.kill('SIGTERM');
    const [heading, ...rows] = linesIn((await following.ended).stdout);
    expect(heading).toMatch(/^SEQUENCE +OCCURRED_AT +TYPE +ACTOR +ABOUT +CHANGED$/);
    expect(rows).toEqual([expect.stringMatching(/^3 .* key\.created /), expect.stringMatching(/^4 .* key\.created /)]);
  });
});

describe('roster events list, who did what and when', () => {
  let at: Installation;
  const sequences = ({ events }: Listed) => events.map(({ sequence }) => Number(sequence));
  const listed = async (...flags: string[]) => sequences(await at.json<Listed>([...list, ...flags]));
  let anaId = '';
  beforeAll(async () => {
    at = await anInstallation();
    await aProjectThere(at, { members: [aMember({ email: 'ana@example.com' })] });
    await using store = await openCurrentStore(at.databaseUrl);
    anaId = (await store.members.list('acme', { email: 'ana@example.com' }, 1, 0)).members[0]?.id ?? '';
    const by = (type: Actor['type'], id: string): Actor => ({
      type,
      id,
      projectId: 'acme',
      scopes: 'all',
      requestId: null,
    });
    const write = (actor: Actor, change: NewEvent) =>
      store.write(actor, async () => ({ output: undefined, changes: [change] }));
    await write(by('member', anaId), { type: 'contact.updated', chatbot_id: '=1+1', contact_id: 'a' });
    await write(by('key', 'k'), { type: 'contact.updated', contact_ids: ['a', 'b'], changed: ['email', 'phone'] });
    await write(by('job', 'purge-bin'), { type: 'contact.purged', contact_id: 'b' });
    await write(by('operator', 'cli:bo'), { type: 'member.updated', member_id: anaId });
  });
  afterAll(() => at[Symbol.asyncDispose]());

  it('takes the address or id of a member, a key, a job, a user of the command line, or a kind', async () => {
    const before = (await listed()).length - 4;
    const [byAna, byKey, byJob, byBo] = [1, 2, 3, 4].map((n) => before + n);
    expect(await listed('--actor', 'Ana@example.com')).toEqual([byAna]);
    expect(await listed('--actor', anaId)).toEqual([byAna]);
    expect(await listed('--actor', 'k')).toEqual([byKey]);
    expect(await listed('--actor', 'job')).toEqual([byJob]);
    expect(await listed('--actor', 'purge-bin')).toEqual([byJob]);
    expect(await listed('--actor', 'cli:bo')).toEqual([byBo]);
    expect(await listed('--actor', 'cli')).toEqual([...Array.from({ length: before }, (_, n) => n + 1), byBo]);
    expect(await listed('--member', 'ana@example.com', '--actor', 'operator', '--type', 'member.updated')).toEqual([
      byBo,
    ]);
    expect(await listed('--contact', 'a')).toEqual([byAna, byKey]);
    const unknown = await at.run([...list, '--actor', 'nobody@example.com']);
    expect([unknown.code, unknown.stdout]).toEqual([1, '']);
    expect(unknown.stderr).toContain('There is no member with this address');
  });

  it('takes times, dates, today, yesterday and spans, from the one to before the other', async () => {
    const all = await listed();
    for (const since of ['yesterday', '2d', '2020-01-01', '2020-01-01T00:00:00Z', '1h'])
      expect(await listed('--since', since)).toEqual(all);
    for (const until of ['yesterday', '1d', '2020-01-01']) expect(await listed('--until', until)).toEqual([]);
    expect(await listed('--since', '2020-01-01', '--until', '2999-01-01')).toEqual(all);
    const wrong = await at.run([...list, '--since', 'soon']);
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringMatching(/--since takes a time such as .*yesterday/)]);
  });

  it('begins with the newest, and goes on with --after until there is none', async () => {
    const all = await listed();
    const first = await at.json<Listed>([...list, '--newest-first', '--limit', '3']);
    expect(sequences(first)).toEqual(all.toReversed().slice(0, 3));
    const rest = await at.run([...list, '--newest-first', '--after', first.next_cursor]);
    expect([rest.code, rest.stderr, rest.stdout.trim().split('\n').length]).toEqual([0, '', all.length - 3 + 1]);
    expect((await at.run([...list, '--after', first.next_cursor])).code).toBe(65);
    expect((await at.run([...list, '--follow', '--newest-first'])).code).toBe(2);
  });

  it('prints all as CSV, in which no id is a formula, or as NDJSON', async () => {
    const { code, stdout } = await at.run([...list, '--format', 'csv', '--contact', 'a']);
    const [heading, one = '', two = ''] = stdout.trim().split('\n');
    expect([code, heading]).toEqual([
      0,
      'sequence,occurred_at,type,actor_type,actor_id,chatbot_id,contact_id,contact_ids,member_id,member_ids,key_id,webhook_id,changed,count,receipt_id,request_id,id',
    ]);
    expect(one).toMatch(new RegExp(`,contact\\.updated,member,${anaId},'=1\\+1,a,,`));
    expect(two).toMatch(/,key,k,,,"a,b",,,,,"email,phone",/);
    const lines = (await at.run([...list, '--format', 'ndjson'])).stdout.trim().split('\n');
    expect(lines).toHaveLength((await listed()).length);
  });
});

it('an event about one person does not speak of several', async () => {
  await using one = await anInstallation();
  await aProjectThere(one);
  const args = ['members', 'import', '-', '--format', 'csv', '--project', 'acme'];
  await one.json(args, { input: 'email,role\nnew@example.com,Editor\n' });
  const { stdout } = await one.run(['events', 'list', '--project', 'acme', '--type', 'member.invited']);
  expect(stdout).toMatch(/ 1 member +-\n$/);
});

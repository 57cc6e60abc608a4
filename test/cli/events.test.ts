import { beforeAll, afterAll, describe, expect, it } from 'vitest';

import { defaultScopes, scopes } from '../../src/actor.ts';
import { openCurrentStore } from '../../src/cli/open.ts';
import type { Event } from '../../src/events.ts';
import { aContact, aProject } from '../support/people.ts';
import { anInstallation, aProjectThere, type Installation } from '../support/process.ts';

interface Listed {
  events: Event[];
  next_cursor: string;
}

const list = ['events', 'list', '--project', 'acme'];
const typesOf = ({ events }: Listed) => events.map(({ type }) => type);

describe('roster events list', () => {
  let at: Installation;
  let keyId: string;
  beforeAll(async () => {
    at = await anInstallation();
    await using store = await openCurrentStore(at.databaseUrl);
    const contacts = [aContact({ id: 'a' }), aContact({ id: 'b' })];
    ({ keyId } = await aProject(store, { id: 'acme', chatbotId: '8839210412', contacts }));
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

  it('gives whole events with --json, some at a time from a cursor on, and only some types', async () => {
    const first = await at.json<Listed>([...list, '--limit', '3']);
    expect(typesOf(first)).toEqual(['project.created', 'chatbot.created', 'contact.created']);
    expect(first.events[2]).toMatchObject({
      sequence: '3',
      actor: { type: 'operator', id: 'cli' },
      chatbot_id: '8839210412',
      contact_ids: ['a', 'b'],
      changed: null,
    });
    const rest = await at.json<Listed>([...list, '--after', first.next_cursor]);
    expect(rest.events).toMatchObject([{ sequence: '4', type: 'key.created', key_id: keyId }]);
    const some = [...list, '--type', 'key.created', '--type', 'project.created'];
    expect(typesOf(await at.json<Listed>(some))).toEqual(['project.created', 'key.created']);
  });

  it.each([
    [
      'an unknown project',
      ['events', 'list', '--project', 'nobody'],
      1,
      /no project with this id in (sqlite|postgres) database [^;]+; see "roster projects list"\.$/,
    ],
    ['an unknown type', [...list, '--type', 'key.lost'], 2, /--type.*key\.created/],
    ['a limit of none', [...list, '--limit', '0'], 2, /--limit.*1 to 500/],
    ['a limit that is too large', [...list, '--limit', '501'], 2, /--limit.*1 to 500/],
    [
      'a cursor that is none',
      [...list, '--after', 'rubbish'],
      65,
      /^roster: The cursor is none of this list; give --after the next_cursor of an earlier list\.$/,
    ],
  ])('refuses %s with one sentence', async (_what, args, code, sentence) => {
    const ended = await at.run(args);
    expect([ended.code, ended.stdout, ended.stderr.trim()]).toEqual([code, '', expect.stringMatching(sentence)]);
  });
});

describe('roster keys create', () => {
  it('gives a key the default scopes, all of them, or those that are named', async () => {
    await using at = await anInstallation();
    await at.json(['projects', 'create', 'Example Ltd', '--id', 'acme']);
    const create = ['keys', 'create', '--project', 'acme', '--name', 'n'];
    const scopesWith = async (...flags: string[]) =>
      (await at.json<{ scopes: string[] }>([...create, ...flags])).scopes;
    expect(await scopesWith()).toEqual(defaultScopes);
    expect(await scopesWith('--scope', 'all')).toEqual(scopes);
    const named = ['--scope', 'events:read', '--scope', 'contacts:write'];
    expect(await scopesWith(...named)).toEqual(['contacts:write', 'events:read']);
    expect(defaultScopes.filter((scope) => scope.endsWith(':write'))).toEqual([]);
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

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { tools } from '../../src/mcp/tools.ts';
import { operations } from '../../src/operations.ts';
import { scopes, type Scope } from '../../src/rights.ts';
import { eventsOf } from '../support/events.ts';
import { allTools, call, done, openMcp, revisions, useEveryTool } from '../support/mcp.ts';
import { aContact, aMember, aProject, createChatbot, scopesOf, vendorContactId } from '../support/people.ts';

let service: Awaited<ReturnType<typeof openMcp>>;
beforeAll(async () => {
  service = await openMcp();
});
afterAll(() => service[Symbol.asyncDispose]());

/** A client with a key of every scope, of a project of its own. */
async function aDesk(given: Parameters<typeof aProject>[1] = {}, mode?: Parameters<typeof service.connect>[1]) {
  const { store } = service;
  const project = await aProject(store, { scopes: [...scopes], ...given });
  const client = await service.connect(project.token, mode);
  const there = { chatbot_id: project.chatbotId };
  return {
    ...project,
    store,
    client,
    there,
    person: { ...there, contact_id: vendorContactId },
    call: (name: string, args?: Parameters<typeof call>[2]) => call(client, name, args),
    done: (name: string, args?: Parameters<typeof call>[2]) => done(client, name, args),
    events: () => eventsOf(store, project.projectId),
  };
}

describe.each(revisions)('the official client of $revision, by HTTP', ({ revision, mode }) => {
  it('agrees on it, and uses every tool', async () => {
    const { client, chatbotId } = await aDesk({}, mode);
    expect(client.getNegotiatedProtocolVersion()).toBe(revision);
    await useEveryTool(client, chatbotId);
  });

  it('is told what to do where a call fails, and nothing of what is stored', async () => {
    const contacts = [aContact({ external_id: 'crm-1' }), aContact({ id: 'other', email: 'ana@example.com' })];
    const desk = await aDesk({ contacts }, mode);
    const { there } = desk;
    const other = { ...there, contact_id: 'other' };
    const taken = { properties: { external_id: 'crm-1' }, confirm: true };
    const failures = {
      not_found: await desk.call('get_person', { ...there, contact_id: 'nobody' }),
      ambiguous_match: await desk.call('save_person', { ...there, match: { email: 'ana@example.com' } }),
      conflict: await desk.call('update_person', { ...other, ...taken }),
      invalid: await desk.call('update_person', { ...other, properties: { email: 'no address' } }),
      cursor_expired: await desk.call('recent_changes', { after: Buffer.from('e1.x.1.').toString('base64url') }),
    };
    for (const [code, { isError, text, structuredContent }] of Object.entries(failures)) {
      expect([isError, structuredContent], code).toEqual([true, undefined]);
      expect(text).toContain(`Error ${code}: `);
      expect(text).toMatch(/^What to do: ./m);
      expect(text).not.toMatch(/ana|\+1 555|ferreira|no address/i);
    }
    expect(failures.conflict.text).toContain(JSON.stringify({ existing: [vendorContactId] }));
    expect(failures.ambiguous_match.text).toContain('"other"');
    expect(failures.invalid.text).toContain('"field":"properties.email","code":"format"');
    await expect(desk.call('purge_person')).rejects.toThrow('Unknown tool');
  });
});

describe('tools', () => {
  it('are ten, of operations of the list, with schemas that refuse what they do not know, hints and scopes', () => {
    expect(tools.map(({ name }) => name)).toEqual(allTools);
    for (const { name, operation, inputSchema, outputSchema, annotations } of tools) {
      expect(operations as readonly object[], name).toContain(operation);
      expect(scopes, name).toContain(operation.scope);
      expect(inputSchema, name).toMatchObject({ type: 'object', additionalProperties: false });
      expect(outputSchema, name).toMatchObject({ type: 'object', additionalProperties: false });
      const isRead = operation.kind === 'read';
      expect(annotations, name).toEqual({
        readOnlyHint: isRead,
        destructiveHint: !isRead && name !== 'restore_person',
        idempotentHint: true,
        openWorldHint: false,
      });
      expect('confirm' in (inputSchema['properties'] as object), name).toBe(!isRead);
    }
  });

  it('never touch keys, invitations, ownership, chatbots or projects, and purge nobody', async () => {
    const written = tools.filter(({ operation }) => operation.kind === 'write').map(({ operation }) => operation.name);
    expect(written).toEqual(['upsertContact', 'updateContact', 'deleteContact', 'restoreContact']);
    const { person, ...desk } = await aDesk({ contacts: [aContact()] });
    const purging = await desk.call('delete_person', { ...person, purge: true, confirm: true });
    expect(purging.text).toContain('"field":"purge","code":"unknown"');
    expect(await desk.done('get_person', person)).toMatchObject({ id: vendorContactId });
  });

  it('are listed where the scopes of the key cover them, in one order, and refused elsewhere', async () => {
    const { projectId, chatbotId } = await aProject(service.store, { contacts: [aContact()] });
    const offered: Partial<Record<Scope, string[]>> = {
      'contacts:read': ['find_people', 'get_person', 'list_recent_people'],
      'contacts:write': ['save_person', 'update_person', 'delete_person', 'restore_person'],
      'members:read': ['list_members'],
      'chatbots:read': ['list_chatbots'],
      'events:read': ['recent_changes'],
    };
    for (const scope of scopes) {
      const { token } = await scopesOf(service.store, projectId, [scope]);
      const client = await service.connect(token);
      expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(offered[scope] ?? []);
      for (const name of allTools.filter((one) => offered[scope]?.includes(one) !== true)) {
        const args = { chatbot_id: chatbotId, contact_id: vendorContactId, confirm: true };
        const { text } = await call(client, name, args);
        expect(text.split(':')[0], `${name} with ${scope}`).toBe('Error insufficient_scope');
      }
    }
  });

  it('that list give 25 at once, unless asked for another number', async () => {
    const contacts = Array.from({ length: 30 }, (_, n) => aContact({ id: `c${n}`, email: `c${n}@example.com` }));
    const members = Array.from({ length: 30 }, (_, n) => aMember({ email: `m${n}@example.com` }));
    const { there, ...desk } = await aDesk({ contacts, members });
    for (let n = 0; n < 30; n++) await createChatbot(desk.store, desk.projectId, { name: `Desk ${n}` });
    for (const [name, list, args] of [
      ['find_people', 'contacts', { ...there, query: 'ana' }],
      ['list_recent_people', 'contacts', there],
      ['list_members', 'members', {}],
      ['list_chatbots', 'chatbots', {}],
      ['recent_changes', 'events', {}],
    ] as const) {
      expect((await desk.done(name, args))[list], name).toHaveLength(25);
      expect((await desk.done(name, { ...args, limit: 27 }))[list], name).toHaveLength(27);
    }
  });

  it('take a list as a text with commas too, and words in any letter case', async () => {
    const desk = await aDesk();
    await createChatbot(desk.store, desk.projectId, { name: 'Other' });
    const typesOf = async (type: unknown) => {
      const { events } = (await desk.done('recent_changes', { type })) as { events: { type: string }[] };
      return events.map((one) => one.type);
    };
    const wanted = ['project.created', 'chatbot.created', 'chatbot.created'];
    expect(await typesOf(['chatbot.created', 'project.created'])).toEqual(wanted);
    expect(await typesOf('chatbot.created, PROJECT.created')).toEqual(wanted);
    expect(await desk.done('list_members', { status: 'active', role: 'OWNER' })).toMatchObject({ members: [] });
  });
});

describe('a write without confirm', () => {
  it('says what would happen, stores nothing and records no event; with it, it does just that', async () => {
    const { there, person, ...desk } = await aDesk({ contacts: [aContact()] });
    const calls = [
      ['save_person', { ...there, match: { email: 'new@example.com' }, properties: { name: 'New' } }, 'created'],
      ['save_person', { ...there, match: { email: 'ANA@example.com' }, properties: { company: 'Acme' } }, 'updated'],
      ['update_person', { ...person, properties: { job_title: 'Boss' } }, 'updated'],
      ['delete_person', person, 'deleted'],
      ['restore_person', person, 'restored'],
      ['restore_person', person, 'not_found'],
    ] as const;
    for (const [name, args, outcome] of calls) {
      const before = JSON.stringify(await desk.events());
      for (const confirm of [undefined, false]) {
        const dry = await desk.call(name, { ...args, confirm });
        if (outcome === 'not_found') expect(dry.text).toContain('Error not_found');
        else {
          expect(dry.data).toMatchObject({ stored: false, outcome });
          expect(dry.text).toContain('Nothing was stored: this was a dry run.');
        }
      }
      expect(JSON.stringify(await desk.events()), name).toBe(before);
      if (outcome === 'not_found') continue;
      const { data } = await desk.call(name, { ...args, confirm: true });
      expect(data).toMatchObject({ stored: true, outcome });
      const [last] = (await desk.events()).slice(-1);
      expect(last).toMatchObject({ type: `contact.${outcome}`, actor: { type: 'key' } });
    }
  });

  it('shows whom it would create as they would be stored, but without an id, and the names of the fields', async () => {
    const { there, ...desk } = await aDesk();
    const properties = { first_name: 'Ana', last_name: 'Ferreira', phone: 15_550_100, tags: ['VIP'] };
    const args = { ...there, match: { email: 'ana@example.com' }, properties };
    const dry = await desk.done('save_person', args);
    const stored = await desk.done('save_person', { ...args, confirm: true });
    const changed = ['name', 'email', 'phone', 'first_name', 'last_name', 'tags'];
    expect(dry).toMatchObject({ stored: false, outcome: 'created', changed });
    expect(stored).toMatchObject({ stored: true, outcome: 'created', changed });
    const time = expect.stringMatching(/\+00:00$/);
    expect(dry['contact']).toEqual({ ...(stored['contact'] as object), id: null, created_at: time, updated_at: time });
    expect(dry['contact']).toMatchObject({ name: 'Ana Ferreira', phone: '15550100', tags: ['vip'] });
  });

  it('is told which argument is meant, by the name that was sent', async () => {
    const { chatbotId, ...desk } = await aDesk();
    const errorsOf = async (name: string, args: Record<string, unknown>) => {
      const [, list = '[]'] = /"errors":(\[.*?\])\}/.exec((await desk.call(name, args)).text) ?? [];
      return JSON.parse(list) as { field: string; message: string }[];
    };
    expect(await errorsOf('list_recent_people', { chatbotId })).toMatchObject([
      { field: 'chatbotId', code: 'unknown', message: 'is not known; did you mean chatbot_id?' },
      { field: 'chatbot_id', code: 'required' },
    ]);
    expect(await errorsOf('list_members', { per_page: 5 })).toMatchObject([
      { field: 'per_page', message: 'is not known; allowed: page, limit, status, role, email' },
    ]);
  });

  it('is refused as the write itself would be, with the arguments by their names', async () => {
    const { there, ...desk } = await aDesk();
    const wrong = {
      'a chatbot that is missing': { contact_id: 'x', properties: {} },
      'an empty chatbot': { chatbot_id: ' ', contact_id: 'x', properties: {} },
      'a chatbot of another type': { chatbot_id: 5, contact_id: 'x', properties: {} },
      'a chatbot whose id is too long': { chatbot_id: 'x'.repeat(65), contact_id: 'x', properties: {} },
    };
    for (const [what, args] of Object.entries(wrong)) {
      expect((await desk.call('update_person', args)).text, what).toContain('"field":"chatbot_id"');
    }
    const nobody = await desk.call('delete_person', { ...there, contact_id: 'nobody' });
    expect(nobody.text).toContain('Error not_found');
    const limit = await desk.call('list_chatbots', { limit: 1_000 });
    expect(limit.text).toContain('"field":"limit","code":"too_large"');
  });
});

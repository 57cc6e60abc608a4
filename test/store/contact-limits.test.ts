import { describe, expect, it } from 'vitest';

import { operator } from '../../src/actor.ts';
import { bulkContacts } from '../../src/contacts/bulk.ts';
import { createContact } from '../../src/contacts/create.ts';
import { deleteContact } from '../../src/contacts/delete.ts';
import { importContacts as importBatch } from '../../src/contacts/import.ts';
import { mergeContacts } from '../../src/contacts/merging/merge.ts';
import { undoMerge } from '../../src/contacts/merging/undo.ts';
import { restoreContact } from '../../src/contacts/restore.ts';
import { updateContact } from '../../src/contacts/update.ts';
import { upsertContact } from '../../src/contacts/upsert.ts';
import { mirrored } from '../../src/imports.ts';
import { run } from '../../src/operation.ts';
import { limitProject } from '../../src/projects/limits.ts';
import { retrieveContactUsage } from '../../src/projects/usage.ts';
import type { Store } from '../../src/store.ts';
import { engines, type Opened, shared } from '../support/engines.ts';
import { aProject, createChatbot } from '../support/people.ts';

const exhausted = { code: 'contacts_exhausted' };

async function openDesk({ store }: Pick<Opened, 'store'>, max?: number) {
  const { projectId, chatbotId } = await aProject(store);
  const actor = operator(projectId);
  const limit = (contacts_max: number) => run(limitProject, store, actor, { contacts_max });
  if (max !== undefined) await limit(max);
  const upsert = (email: string, name = 'Ana') =>
    run(upsertContact, store, actor, { chatbotId, match: { email }, properties: { name } });
  return {
    store,
    projectId,
    chatbotId,
    actor,
    limit,
    upsert,
    usage: async () => (await run(retrieveContactUsage, store, actor, {})).output,
    create: async (name: string, chatbot = chatbotId, by: Store = store) =>
      (await run(createContact, by, actor, { chatbotId: chatbot, properties: { name } })).output.id,
    remove: (contactId: string) => run(deleteContact, store, actor, { chatbotId, contactId }),
    restore: (contactId: string) => run(restoreContact, store, actor, { chatbotId, contactId }),
  };
}

const succeeded = (settled: readonly PromiseSettledResult<unknown>[]) =>
  settled.filter(({ status }) => status === 'fulfilled').length;

describe.each(engines)('the limit of contacts on $engine', ({ open }) => {
  const opened = shared(open);

  it('is for all chatbots of a project together, and for no other project', async () => {
    const desk = await openDesk(opened, 2);
    const other = await openDesk(opened);
    const second = await createChatbot(opened.store, desk.projectId, { name: 'Second' });
    await desk.create('A');
    await desk.create('B', second.id);
    await expect(desk.create('C')).rejects.toMatchObject(exhausted);
    await expect(desk.create('C', second.id)).rejects.toMatchObject(exhausted);
    await other.create('C');
    expect([await desk.usage(), (await other.usage()).used]).toEqual([{ used: 2, max: 2 }, 1]);
  });

  it('refuses nobody who is there, and lets the place of somebody deleted be taken', async () => {
    const desk = await openDesk(opened, 2);
    await desk.upsert('ana@example.com');
    const b = await desk.create('B');
    await desk.limit(1);
    expect((await desk.upsert('ANA@example.com', 'Ana Maria')).output.outcome).toBe('updated');
    const renamed = { chatbotId: desk.chatbotId, contactId: b, properties: { name: 'Bo' } };
    await run(updateContact, opened.store, desk.actor, renamed);
    await expect(desk.upsert('cy@example.com')).rejects.toMatchObject(exhausted);
    expect(await desk.usage()).toEqual({ used: 2, max: 1 });
    await desk.remove(b);
    await expect(desk.restore(b)).rejects.toMatchObject(exhausted);
    await desk.limit(2);
    await desk.restore(b);
    await expect(desk.upsert('cy@example.com')).rejects.toMatchObject(exhausted);
    await desk.remove(b);
    await desk.upsert('cy@example.com');
    expect(await desk.usage()).toEqual({ used: 2, max: 2 });
  });

  it('fails the items of a bulk that add too many, in their order', async () => {
    const desk = await openDesk(opened, 2);
    const a = await desk.create('A');
    const create = (name: string) => ({ op: 'create' as const, properties: { name } });
    const items = [
      create('B'),
      create('C'),
      { op: 'upsert' as const, match: { id: a }, properties: { name: 'Ana' } },
      { op: 'delete' as const, id: a },
      create('D'),
      create('E'),
    ];
    const { output } = await run(bulkContacts, opened.store, desk.actor, { chatbotId: desk.chatbotId, items });
    expect(output.results.map(({ outcome, code }) => code ?? outcome)).toEqual([
      'created',
      'contacts_exhausted',
      'updated',
      'deleted',
      'created',
      'contacts_exhausted',
    ]);
    expect(await desk.usage()).toEqual({ used: 2, max: 2 });
  });

  it('lets a merge be undone only where those who come back have room', async () => {
    const desk = await openDesk(opened, 3);
    const { store, actor, chatbotId } = desk;
    const contactId = await desk.create('A');
    const from = [await desk.create('B'), await desk.create('C')];
    const { output } = await run(mergeContacts, store, actor, { chatbotId, contactId, from });
    expect((await desk.usage()).used).toBe(1);
    const undone = { chatbotId, mergeId: output.merge_id ?? '' };
    await desk.create('D');
    const e = await desk.create('E');
    await expect(run(undoMerge, store, actor, undone)).rejects.toMatchObject(exhausted);
    await desk.remove(e);
    await expect(run(undoMerge, store, actor, undone)).rejects.toMatchObject(exhausted);
    await desk.limit(4);
    await run(undoMerge, store, actor, undone);
    expect(await desk.usage()).toEqual({ used: 4, max: 4 });
  });

  it('rejects rows of another service, unless that has limits of its own', async () => {
    const desk = await openDesk(opened, 1);
    const { store, actor, chatbotId } = desk;
    const drafts = ['a', 'b'].map((id) => ({ texts: { id, name: id.toUpperCase() } }));
    const outcomes = async (isUnlimited: boolean) => {
      const batch = { ...mirrored<(typeof drafts)[0], never>(drafts), chatbotId, isUnlimited };
      return (await run(importBatch, store, actor, batch)).output.outcomes;
    };
    expect(await outcomes(false)).toEqual(['created', { refused: 'is over the limit of the project' }]);
    expect(await outcomes(true)).toEqual(['unchanged', 'created']);
    expect(await desk.usage()).toEqual({ used: 2, max: 1 });
  });

  it('holds against many writers at once, of one and of several chatbots, in one process and in two', async () => {
    const desk = await openDesk(opened, 7);
    const other = await opened.another();
    const chatbots = [desk.chatbotId];
    for (const name of ['Second', 'Third']) {
      chatbots.push((await createChatbot(opened.store, desk.projectId, { name })).id);
    }
    const creations = Array.from({ length: 30 }, (_, n) =>
      desk.create(`P${n}`, chatbots[n % 3], n % 2 === 0 ? opened.store : other),
    );
    const settled = await Promise.allSettled(creations);
    expect(succeeded(settled)).toBe(7);
    for (const one of settled) if (one.status === 'rejected') expect(one.reason).toMatchObject(exhausted);
    expect(await desk.usage()).toEqual({ used: 7, max: 7 });
  });

  it('counts neither a failed write nor a dry run that shares a transaction', async () => {
    const desk = await openDesk(opened, 3);
    const { store, actor, chatbotId } = desk;
    const create = (external_id: string, options = {}) =>
      run(createContact, store, actor, { chatbotId, properties: { name: 'A', external_id } }, options);
    const settled = await Promise.allSettled([
      create('1'),
      create('1'),
      create('2', { isDry: true }),
      create('3', { signal: AbortSignal.abort() }),
      create('4'),
      create('5'),
    ]);
    expect(settled.map(({ status }) => status === 'fulfilled')).toEqual([true, false, true, false, true, true]);
    expect(await desk.usage()).toEqual({ used: 3, max: 3 });
  });
});

import { describe, expect, it } from 'vitest';

import { operator } from '../../src/actor.ts';
import { deleteChatbot } from '../../src/chatbots/delete.ts';
import { mirrorChatbot } from '../../src/chatbots/mirror.ts';
import type { StoredContact } from '../../src/contacts/contact.ts';
import type { Draft } from '../../src/contacts/draft.ts';
import { importContacts } from '../../src/contacts/import.ts';
import { mirrored } from '../../src/imports.ts';
import { run } from '../../src/operation.ts';
import { limitProject } from '../../src/projects/limits.ts';
import { engines, shared } from '../support/engines.ts';
import { aProject } from '../support/people.ts';

const walk = { source: 'pages of 4711', phase: 'whole', place: '{"page":12,"newest":""}' } as const;

describe.each(engines)('how far an import has come, on $engine', ({ open }) => {
  const opened = shared(open);

  it('is stored with the batch, replaced by the next one, and gone with the chatbot', async () => {
    const { store } = opened;
    const { projectId, chatbotId } = await aProject(store);
    const other = await aProject(store, { chatbotId });
    const batch = { ...mirrored<Draft, StoredContact>([]), chatbotId };
    await run(importContacts, store, operator(projectId), { ...batch, walk });
    expect(await store.importWalks.find(projectId, chatbotId)).toEqual(walk);
    expect(await store.importWalks.find(other.projectId, chatbotId)).toBeUndefined();
    const next = { ...walk, phase: 'tail', place: '{"page":40,"newest":""}' } as const;
    await run(importContacts, store, operator(projectId), { ...batch, walk: next });
    expect(await store.importWalks.find(projectId, chatbotId)).toEqual(next);
    await run(deleteChatbot, store, operator(projectId), { chatbotId });
    expect(await store.importWalks.find(projectId, chatbotId)).toBeUndefined();
  });

  it('stays where it was when the batch is not stored', async () => {
    const { store } = opened;
    const { projectId, chatbotId } = await aProject(store);
    const refused = { texts: { id: 'a', email: '', name: 'Ana' } };
    const batch = { ...mirrored<Draft, StoredContact>([refused]), chatbotId, walk };
    await expect(run(importContacts, store, operator(projectId), batch)).rejects.toThrow();
    expect(await store.importWalks.find(projectId, chatbotId)).toBeUndefined();
  });
});

describe.each(engines)('a chatbot as it is elsewhere, on $engine', ({ open }) => {
  const opened = shared(open);

  it('keeps its id and its time, whatever the limit, and changes by name and visibility', async () => {
    const { store } = opened;
    const { projectId } = await aProject(store);
    const actor = operator(projectId);
    await run(limitProject, store, actor, { chatbots_max: 1 });
    const given = {
      id: 'elsewhere',
      name: 'Front desk',
      visibility: 'public',
      created_at: '2024-06-08T13:38:33+00:00',
    };
    const mirror = async (more: Partial<typeof given> = {}) =>
      (await run(mirrorChatbot, store, actor, { ...given, visibility: 'public', ...(more as object) })).output;
    expect(await mirror()).toBe('created');
    expect(await mirror({ created_at: '2020-01-01T00:00:00+00:00' })).toBe('unchanged');
    expect(await store.chatbots.find(projectId, 'elsewhere')).toMatchObject({ ...given, project_id: projectId });
    expect(await mirror({ name: 'Shop', visibility: 'private' })).toBe('updated');
    expect(await store.chatbots.find(projectId, 'elsewhere')).toMatchObject({ name: 'Shop', visibility: 'private' });
    await expect(mirror({ id: '' })).rejects.toMatchObject({ code: 'invalid' });
  });
});

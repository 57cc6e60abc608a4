import { setTimeout as sleep } from 'node:timers/promises';

import { describe, expect, it } from 'vitest';

import { type Actor, operator } from '../../src/actor.ts';
import { createApiKey } from '../../src/api-keys/create.ts';
import { revokeApiKey } from '../../src/api-keys/revoke.ts';
import { mirrorChatbot } from '../../src/chatbots/mirror.ts';
import { updateChatbot } from '../../src/chatbots/update.ts';
import { createContact } from '../../src/contacts/create.ts';
import { upsertContact } from '../../src/contacts/upsert.ts';
import { sql } from '../../src/database/sql.ts';
import { changed } from '../../src/events/event.ts';
import { removeMember } from '../../src/members/remove.ts';
import { type Ran, run, write } from '../../src/operation.ts';
import type { Store } from '../../src/store.ts';
import { newChatbotId } from '../../src/values/identifier.ts';
import { engines } from '../support/engines.ts';
import { aMember, aProject, storeMembers, totalOf } from '../support/people.ts';

/** Two stores as two processes have them. */
async function two({ open }: (typeof engines)[number]) {
  const opened = await open();
  const stores = [await opened.another(), await opened.another()] as const;
  return { ...opened, ...(await aProject(opened.store)), stores };
}

/** Creates a chatbot, after `wait`. */
function creation(wait: () => Promise<void> = async () => undefined) {
  return write({
    name: 'createDesk',
    scope: null,
    run: async ({ chatbots }, { projectId }) => {
      const id = newChatbotId();
      await wait();
      await chatbots.insert({
        id,
        name: 'Desk',
        project_id: projectId,
        created_at: '2026-01-01T00:00:00+00:00',
      });
      return changed({ id }, { type: 'chatbot.created', chatbot_id: id });
    },
    repeat: {
      keep: ({ id }) => id,
      render: async ({ chatbots }, { projectId }, kept) => {
        const found = await chatbots.find(projectId, kept);
        return { id: found?.id ?? 'none' };
      },
    },
  });
}

type Creation = ReturnType<typeof creation>;

function create(store: Store, projectId: string, operation: Creation, keyHash = 'one'): Promise<Ran<{ id: string }>> {
  const idempotent = { keyHash, requestDigest: 'the same' };
  return run(operation, store, operator(projectId), undefined, { idempotent });
}

/** A creation that has claimed its key and goes on, or fails, when it is told. */
async function held(store: Store, projectId: string) {
  const { promise: gate, resolve: goOn, reject: fail } = Promise.withResolvers<void>();
  const { promise: claimed, resolve: claim } = Promise.withResolvers<void>();
  const wait = () => {
    claim();
    return gate;
  };
  const result = create(store, projectId, creation(wait));
  result.catch(() => undefined);
  await Promise.race([claimed, result]);
  return { result, goOn, fail };
}

describe.each(engines)('two requests with one idempotency key on $engine', (engine) => {
  it('do the work once: the second waits and answers what the first stored', async () => {
    await using at = await two(engine);
    const first = await held(at.stores[0], at.projectId);
    const second = create(at.stores[1], at.projectId, creation());
    await sleep(100);
    first.goOn();
    const { output } = await first.result;
    expect(await second).toEqual({ output, replayed: true });
    expect(await at.stores[0].chatbots.list(at.projectId)).toHaveLength(2);
  });

  it('do the work in the second when the first fails', async () => {
    await using at = await two(engine);
    const first = await held(at.stores[0], at.projectId);
    const second = create(at.stores[1], at.projectId, creation());
    await sleep(100);
    first.fail(new Error('a fault'));
    await expect(first.result).rejects.toThrow('a fault');
    expect(await second).toMatchObject({ replayed: false });
    expect(await at.stores[0].chatbots.list(at.projectId)).toHaveLength(2);
  });
});

describe.each(engines)('writes of two processes on $engine', (engine) => {
  it('make one contact of an address that both bring', async () => {
    await using at = await two(engine);
    const { projectId, chatbotId, stores } = at;
    const emails = Array.from({ length: 10 }, (_, n) => `person${n}@example.com`);
    for (const email of emails) {
      const input = { chatbotId, match: { email }, properties: { name: 'Ana' } };
      await Promise.all(stores.map((store) => run(upsertContact, store, operator(projectId), input)));
    }
    const pages = await Array.fromAsync(stores[0].contacts.listAll(projectId, chatbotId));
    expect(pages.flat().map(({ email }) => email)).toHaveLength(emails.length);
  });

  it('find no chatbot that is deleted while they wait for it', async () => {
    await using at = await two(engine);
    const { projectId, chatbotId, stores } = at;
    const { promise: locked, resolve: onLocked } = Promise.withResolvers<void>();
    const { promise: gate, resolve: goOn } = Promise.withResolvers<void>();
    const deletion = write({
      name: 'deleteSlowly',
      scope: null,
      run: async ({ chatbots }) => {
        await chatbots.findForUpdate(projectId, chatbotId);
        onLocked();
        await gate;
        await chatbots.delete(projectId, chatbotId);
        return changed(undefined, { type: 'chatbot.deleted', chatbot_id: chatbotId });
      },
    });
    const deleted = run(deletion, stores[0], operator(projectId), undefined);
    await locked;
    const input = { chatbotId, properties: { name: 'Ana' } };
    const creates = Promise.allSettled(
      ['one', 'two'].map(() => run(createContact, stores[1], operator(projectId), input)),
    );
    await sleep(100);
    goOn();
    await deleted;
    expect(await creates).toMatchObject([{ reason: { code: 'not_found' } }, { reason: { code: 'not_found' } }]);
  });

  it('about members, keys, chatbots and contacts end in no deadlock', async () => {
    await using at = await two(engine);
    const { projectId, chatbotId, stores } = at;
    const [one, other] = stores;
    const actor = operator(projectId);
    for (let round = 0; round < 5; round++) {
      await storeMembers(one, projectId, [aMember({ email: `m${round}@example.com` })]);
      const [member] = await one.members
        .list(projectId, { email: `m${round}@example.com` }, 1, 0)
        .then(({ members }) => members as unknown as { id: string }[]);
      const memberId = member?.id ?? '';
      const maker: Actor = { ...actor, type: 'member', id: memberId };
      const make = () => run(createApiKey, one, maker, { name: 'made', scopes: ['contacts:read'] });
      const keys = [await make(), await make(), await make()].map(({ output }) => output.key.id);
      const properties = { name: 'Ana' };
      const mirrored = {
        id: chatbotId,
        name: `N${round}`,
        visibility: 'private',
        created_at: '2026-01-01T00:00:00+00:00',
      } as const;
      await Promise.all([
        run(removeMember, one, actor, { memberId }),
        ...keys.toReversed().map((keyId) => run(revokeApiKey, other, actor, { keyId })),
        run(createContact, other, actor, { chatbotId, properties }),
        run(mirrorChatbot, one, actor, mirrored),
        run(createContact, one, actor, { chatbotId, properties }),
        run(updateChatbot, other, actor, { chatbotId, name: `U${round}` }),
      ]);
    }
    expect(await totalOf(one, at)).toBe(10);
  });
});

describe('an idempotency key on PostgreSQL', () => {
  it('is claimed without waiting for another request that has claimed one', async () => {
    await using at = await two(engines[1]);
    const slow = await held(at.stores[0], at.projectId);
    const other = create(at.stores[1], at.projectId, creation(), 'another');
    expect(await other).toMatchObject({ replayed: false });
    slow.goOn();
    await slow.result;
    const rows = await at.database.all<{ key_hash: string }>(
      sql`select key_hash from idempotency_keys order by key_hash`,
    );
    expect(rows.map(({ key_hash }) => key_hash)).toEqual(['another', 'one']);
  });

  it('is found, and events are numbered, whatever isolation the database has by default', async () => {
    await using opened = await engines[1].openOwn();
    const { projectId } = await aProject(opened.store);
    const name = new URL(opened.url).pathname.slice(1);
    await opened.database.script(`alter database ${name} set default_transaction_isolation = 'serializable'`);
    const [one, other] = [await opened.another(), await opened.another()];
    const first = await held(one, projectId);
    const second = create(other, projectId, creation());
    const third = create(other, projectId, creation(), 'another');
    await sleep(100);
    first.goOn();
    const { output } = await first.result;
    expect(await second).toEqual({ output, replayed: true });
    expect(await third).toMatchObject({ replayed: false });
  });
});

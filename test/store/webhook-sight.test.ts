import { describe, expect, it } from 'vitest';

import { type Actor, operator } from '../../src/actor.ts';
import { deleteChatbot } from '../../src/chatbots/delete.ts';
import { storeOn } from '../../src/database/open-store.ts';
import { sql } from '../../src/database/sql.ts';
import { removeMember } from '../../src/members/remove.ts';
import { run } from '../../src/operation.ts';
import { deleteProject } from '../../src/projects/delete.ts';
import type { Scope } from '../../src/rights.ts';
import { rightsOf } from '../../src/sign-in/session.ts';
import type { Store } from '../../src/store.ts';
import { addSeconds, formatTimestamp } from '../../src/values/timestamp.ts';
import { noteAttempts } from '../../src/webhooks/attempts.ts';
import { createWebhook } from '../../src/webhooks/create.ts';
import { deleteWebhook } from '../../src/webhooks/delete.ts';
import { listDeliveries } from '../../src/webhooks/deliveries.ts';
import { replayWebhook } from '../../src/webhooks/replay.ts';
import { testWebhook } from '../../src/webhooks/test.ts';
import { updateWebhook } from '../../src/webhooks/update.ts';
import { at } from '../support/clock.ts';
import { engines, shared } from '../support/engines.ts';
import { eventsOf, report } from '../support/events.ts';
import {
  aMember,
  aProject,
  createApiKey,
  createChatbot,
  revokeApiKey,
  rotateApiKey,
  storeMembers,
} from '../support/people.ts';
import { anywhere, aWebhook, failing } from '../support/webhooks.ts';

type Webhook = Awaited<ReturnType<typeof aWebhook>>;
type Shown = Awaited<ReturnType<Webhook['deliveries']>>[number];
const everything = ['contact.*', 'contacts.*', 'member.*', 'key.*', 'chatbot.*'];
const member = { type: 'member.invited', member_id: 'somebody' } as const;

const update = ({ store, actor, webhookId, outgoing }: Webhook, given: object) =>
  run(updateWebhook, store, actor, { webhookId, ...given }, { outgoing });

/** Sends while something happens after the sender has looked. */
const sendWhile = (hook: Webhook, happens: () => Promise<unknown>) => {
  const { store } = hook;
  const find: Store['webhooks']['find'] = async (...given) => {
    const found = await store.webhooks.find(...given);
    await happens();
    return found;
  };
  return hook.send(new Date(), { ...store, webhooks: { ...store.webhooks, find } });
};

async function rowsOf({ database, projectId }: Webhook, table: string): Promise<number> {
  const query =
    table === 'webhooks'
      ? sql`select count(*) as n from webhooks where project_id = ${projectId}`
      : sql`select count(*) as n from webhook_deliveries where project_id = ${projectId}`;
  const row = await database.first<{ n: number }>(query);
  return Number(row?.n);
}

/** Of the member who was stored last. */
async function idOfMember(store: Store, projectId: string): Promise<string> {
  const activated = await eventsOf(store, projectId, { types: ['member.activated'] });
  const { member_id: one, member_ids: several } = activated.at(-1) ?? {};
  return one ?? several?.[0] ?? '';
}

describe.each(engines)('what a webhook on $engine hears', ({ open }) => {
  const opened = shared(open);

  it('is what its patterns and its chatbots match', async () => {
    const hook = await aWebhook(opened, { events: ['contact.updated', 'member.*'] });
    await hook.change('ana');
    await report(hook.store, hook.projectId, member, { type: 'contact.created', contact_id: 'bo' });
    const other = await createChatbot(hook.store, hook.projectId, { name: 'Other' });
    await hook.send();
    expect(hook.about()).toEqual(['ana', 'member.invited']);
    await update(hook, { chatbot_ids: [other.id] });
    await hook.change('cy');
    const elsewhere = { type: 'contact.updated', chatbot_id: other.id, contact_id: 'di' } as const;
    await report(hook.store, hook.projectId, member, elsewhere);
    await hook.send();
    expect(hook.about().slice(2)).toEqual(['di']);
    expect(await hook.show()).toMatchObject({ behind: 0 });
  });

  it('is nothing of what was rolled back or tried dry', async () => {
    const hook = await aWebhook(opened, { events: ['contact.*', 'webhook.*'] });
    const { store, projectId, actor, outgoing, webhookId } = hook;
    const failed = store.write(operator(projectId), async () => {
      throw new Error('made up');
    });
    await expect(failed).rejects.toThrow();
    await run(deleteWebhook, store, actor, { webhookId }, { isDry: true, outgoing });
    await hook.change('ana');
    await hook.send();
    expect(hook.about()).toEqual(['webhook.created', 'ana']);
  });

  it('is what the scopes of its key see', async () => {
    const hook = await aWebhook(opened, { events: everything }, ['webhooks:write', 'contacts:read']);
    await report(hook.store, hook.projectId, member, { type: 'key.created', key_id: 'x' });
    await hook.change('ana');
    await hook.send();
    expect(hook.about()).toEqual(['ana']);
  });

  it('is the contact as it is at the moment of sending, in full; null when it is gone, or there are several', async () => {
    const hook = await aWebhook(opened, { payload: 'full', events: everything });
    await hook.change('ana', 'nobody');
    await report(hook.store, hook.projectId, {
      type: 'contact.created',
      chatbot_id: hook.chatbotId,
      contact_ids: ['ana', 'bo'],
    });
    await storeMembers(hook.store, hook.projectId, [aMember({ email: 'ada@example.com' })]);
    await hook.send();
    const told = hook.posted
      .map(({ message }) => message.data)
      .toSorted((one, other) => Number(one['sequence']) - Number(other['sequence']));
    expect(told[0]).toMatchObject({ contact_id: 'ana', contact: { id: 'ana', name: 'Ana Ruiz' } });
    expect(told[1]).toMatchObject({ contact_id: 'nobody', contact: null });
    expect(told[2]).toMatchObject({ contact_ids: ['ana', 'bo'], contact: null });
    const ofMember = told.find(({ type }) => type === 'member.activated');
    expect(ofMember).toMatchObject({ member_id: null, member: null });
  });

  it('is a member in full', async () => {
    const hook = await aWebhook(opened, { payload: 'full', events: everything });
    const { store, projectId } = hook;
    await storeMembers(store, projectId, [aMember({ email: 'ada@example.com' })]);
    const id = await idOfMember(store, projectId);
    await report(store, projectId, { type: 'member.updated', member_id: id });
    await hook.send();
    expect(hook.posted.at(-1)?.message.data).toMatchObject({ member: { email: 'ada@example.com' } });
  });

  it('is the event without the contact where its key may not read contacts', async () => {
    const hook = await aWebhook(opened, { payload: 'full' }, ['webhooks:write', 'events:read']);
    await hook.change('ana');
    await hook.send();
    expect(hook.posted[0]?.message.data).toMatchObject({ contact_id: 'ana', contact: null });
  });

  it('is no less for a change that comes while the sender looks', async () => {
    const hook = await aWebhook(opened);
    await sendWhile(hook, async () => {
      await update(hook, { events: ['contact.*', 'member.*'] });
      await report(hook.store, hook.projectId, member);
    });
    await hook.send();
    expect(hook.about()).toEqual(['member.invited']);
  });

  it('is no less for a change that comes while an attempt is on its way', async () => {
    const hook = await aWebhook(opened);
    await hook.change('ana');
    hook.receiver.answer = async () => {
      hook.receiver.answer = () => ({});
      await update(hook, { description: 'CRM' });
      return failing();
    };
    await hook.send();
    await hook.send();
    expect(hook.about()).toEqual(['ana', 'ana']);
  });

  it('is recorded once where two senders meet', async () => {
    const hook = await aWebhook(opened);
    await hook.change('ana');
    let isFirst = true;
    hook.receiver.answer = async () => {
      if (!isFirst) return {};
      isFirst = false;
      await hook.send();
      return failing();
    };
    await hook.send();
    expect(hook.posted).toHaveLength(2);
    expect(await hook.deliveries()).toMatchObject([{ outcome: 'delivered', attempt: 1 }]);
    expect(await hook.show()).toMatchObject({ state: 'active', behind: 0 });
  });
});

describe.each(engines)('the maker of a webhook on $engine', ({ open }) => {
  const opened = shared(open);

  const scopes = ['webhooks:write', 'contacts:read'] as const;

  /** A webhook of the operator, as a key changes it that may only change webhooks. */
  async function byWriterAlone(given: object) {
    const hook = await aWebhook(opened, given);
    const own: Scope[] = ['webhooks:write'];
    const { key } = await createApiKey(hook.store, hook.projectId, { name: 'k', scopes: own });
    return { ...hook, actor: { ...hook.actor, type: 'key', id: key.id, scopes: own } as const };
  }

  it('is handed on by a rotated key, and ended by its end; a good test of another enables it', async () => {
    const hook = await aWebhook(opened, {}, [...scopes]);
    const { store, projectId, keyId, webhookId, outgoing } = hook;
    const { key } = await rotateApiKey(store, keyId, 0);
    await hook.change('ana');
    await hook.send();
    expect(hook.about()).toEqual(['ana']);
    await revokeApiKey(store, key.id);
    await hook.change('bo');
    await hook.send();
    expect(hook.about()).toEqual(['ana']);
    expect(await hook.show()).toMatchObject({ state: 'disabled', disabled_reason: 'maker_ended' });
    await run(testWebhook, store, operator(projectId), { webhookId }, { outgoing });
    await hook.send();
    expect(hook.about()).toEqual(['ana', 'ping', 'bo']);
    expect(await hook.show()).toMatchObject({ state: 'active' });
  });

  it('is not ended by a key that is rotated while the sender looks', async () => {
    const hook = await aWebhook(opened, {}, [...scopes]);
    await sendWhile(hook, () => rotateApiKey(hook.store, hook.keyId, 0));
    expect(await hook.show()).toMatchObject({ state: 'active' });
  });

  it('sends nothing of what a key may not read to a URL of the key, even if it was disabled and then tested', async () => {
    const hook = await byWriterAlone({ payload: 'full', events: ['contact.*', 'key.*'] });
    await update(hook, { url: 'https://other.example.com/', state: 'disabled' });
    await run(testWebhook, hook.store, hook.actor, { webhookId: hook.webhookId }, hook);
    await hook.change('ana');
    await hook.send();
    expect(hook.about()).toEqual(['ping']);
  });

  it('sends nothing of that in a retry from before', async () => {
    const hook = await byWriterAlone({ events: ['key.*'] });
    hook.receiver.answer = () => failing();
    await hook.send();
    await update(hook, { url: 'https://other.example.com/' });
    await hook.send(addSeconds(new Date(), 60));
    expect(hook.about()).toEqual(['key.created']);
    expect((await hook.deliveries()).map(({ outcome }) => outcome)).toEqual(['given_up', 'failed']);
  });

  it('is a member until removed', async () => {
    const hook = await aWebhook(opened);
    const { store, projectId } = hook;
    await storeMembers(store, projectId, [aMember({ email: 'owner@example.com', roles: ['Owner'] })]);
    await storeMembers(store, projectId, [aMember({ email: 'ada@example.com' })]);
    const id = await idOfMember(store, projectId);
    const actor: Actor = { type: 'member', id, projectId, scopes: rightsOf({ roles: ['Admin'] }), requestId: null };
    await update({ ...hook, actor }, { events: ['contact.updated'] });
    await hook.change('ana');
    await hook.send();
    await run(removeMember, store, operator(projectId), { memberId: id });
    await hook.change('bo');
    await hook.send();
    expect(hook.about()).toEqual(['ana']);
    expect(await hook.show()).toMatchObject({ disabled_reason: 'maker_ended' });
  });
});

describe.each(engines)('webhooks of a project on $engine', ({ open }) => {
  const opened = shared(open);

  it('are a hundred at most', async () => {
    const hook = await aWebhook(opened);
    const { store, actor, outgoing } = hook;
    const another = () =>
      run(createWebhook, store, actor, { url: 'https://example.com/', events: ['contact.*'] }, { outgoing });
    for (let made = 1; made < 100; made++) await another();
    await expect(another()).rejects.toMatchObject({ code: 'conflict' });
  });

  it('are not saved where nobody can ask about their URL', async () => {
    const hook = await aWebhook(opened);
    const input = { url: 'https://example.com/', events: ['contact.*'] } as const;
    await expect(run(createWebhook, hook.store, hook.actor, { ...input, events: [...input.events] })).rejects.toThrow(
      'sent',
    );
    expect(await rowsOf(hook, 'webhooks')).toBe(1);
  });

  it('are answered again as at first, without the secret, also when their name cannot be looked up any more', async () => {
    const hook = await aWebhook(opened);
    const { store, actor, outgoing } = hook;
    const idempotent = { keyHash: 'a', requestDigest: 'b' };
    const create = (through: typeof outgoing) =>
      run(
        createWebhook,
        store,
        actor,
        { url: 'https://example.com/', events: ['contact.*'] },
        { outgoing: through, idempotent },
      );
    const { output } = await create(outgoing);
    const again = await create({ ...outgoing, refusalOf: async () => 'unresolved' });
    expect(again).toMatchObject({ replayed: true, output: { id: output.id, secret: null } });
  });

  it('ask for all their chatbots at once, and name the first that is none of the project', async () => {
    const asked: string[] = [];
    const store = storeOn(opened.database, { onAsked: (operation) => void asked.push(operation) });
    const { projectId, chatbotId } = await aProject(store);
    const other = await createChatbot(store, projectId, { name: 'Other' });
    const create = (...ids: string[]) => {
      const input = { url: 'https://example.com/', events: ['contact.*' as const], chatbot_ids: ids };
      return run(createWebhook, store, operator(projectId), input, { outgoing: anywhere });
    };
    asked.length = 0;
    const { output } = await create(other.id, chatbotId);
    expect(output.chatbot_ids).toEqual([other.id, chatbotId]);
    expect(asked.filter((operation) => operation.startsWith('chatbots.'))).toHaveLength(1);
    const abroad = await aProject(store);
    await expect(create(chatbotId, 'none', abroad.chatbotId)).rejects.toMatchObject({
      errors: [{ field: 'chatbot_ids[1]', code: 'not_allowed' }],
    });
    await expect(create(abroad.chatbotId)).rejects.toMatchObject({ errors: [{ field: 'chatbot_ids[0]' }] });
  });

  it('go with their deliveries when they are deleted, and with their project', async () => {
    for (const end of ['webhook', 'project']) {
      const hook = await aWebhook(opened);
      await hook.change('ana');
      await hook.send();
      const { store, projectId, actor, webhookId } = hook;
      if (end === 'webhook') await run(deleteWebhook, store, actor, { webhookId });
      else {
        await run(deleteChatbot, store, actor, { chatbotId: hook.chatbotId });
        await run(deleteProject, store, actor, {});
      }
      await expect(hook.show()).rejects.toMatchObject({ code: 'not_found' });
      await hook.send();
      expect([await rowsOf(hook, 'webhooks'), await rowsOf(hook, 'webhook_deliveries')]).toEqual([0, 0]);
      expect(await store.webhooks.page(projectId, { limit: 1, offset: 0 })).toMatchObject({ total: 0 });
    }
  });

  it('keep the last thousand attempts, and failed ones of thirty days', async () => {
    const hook = await aWebhook(opened);
    const { store, actor, webhookId, projectId } = hook;
    const day = 86_400;
    const start = new Date('2027-01-01T00:00:00Z');
    let attempts = 0;
    const note = async (count: number, time: Date, failed: number) => {
      const tried = Array.from({ length: count }, (_, index) => ({
        event_id: `event-${attempts + index}`,
        sequence: '1',
        type: 'contact.updated' as const,
        attempt: index < failed ? 10 : 1,
        at: time,
        status: index < failed ? 500 : 204,
        reason: index < failed ? ('status' as const) : null,
        durationMs: 1,
      }));
      attempts = (await store.webhooks.find(projectId, webhookId))?.attempts ?? 0;
      await at(time, () => run(noteAttempts, store, operator(projectId), { webhookId, attempts, position: 1n, tried }));
    };
    const all = async (failed = false) => {
      const met: Shown[] = [];
      for (let cursor: string | null = '*'; cursor !== null;) {
        const page: { deliveries: Shown[]; next_cursor: string | null } = (
          await run(listDeliveries, store, operator(projectId), { webhookId, failed, cursor })
        ).output;
        met.push(...page.deliveries);
        cursor = page.next_cursor;
      }
      return met;
    };
    await note(3, start, 2);
    for (let hundred = 0; hundred < 10; hundred++) {
      await note(100, start, 0);
      await run(replayWebhook, store, actor, { webhookId, after: '*' });
    }
    await note(100, addSeconds(start, 29 * day), 0);
    const kept = await all();
    expect(kept.filter(({ outcome }) => outcome === 'delivered').length).toBeLessThanOrEqual(1_000);
    expect(kept.filter(({ outcome }) => outcome === 'delivered').length).toBeGreaterThanOrEqual(980);
    expect(await all(true)).toHaveLength(2);
    await note(100, addSeconds(start, 31 * day), 0);
    expect(await all(true)).toEqual([]);
    expect(new Set((await all()).map((one) => one.event_id)).size).toBe((await all()).length);
  });

  it('keep ten thousand failed attempts at most, however often they are replayed', async () => {
    const hook = await aWebhook(opened);
    const { store, actor, webhookId, projectId, database } = hook;
    const stored = 11_040;
    await database.run(
      sql`with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${stored})
        insert into webhook_deliveries (project_id, webhook_id, number, event_id, sequence, type, attempt, at, duration_ms, outcome)
        select cast(${projectId} as text), cast(${webhookId} as text), n, 'some-event', 1, 'contact.updated', 1,
          cast(${formatTimestamp(new Date())} as text), 1, 'failed' from numbers`,
    );
    await database.run(sql`update webhooks set attempts = ${stored} where project_id = ${projectId}`);
    hook.receiver.answer = () => failing();
    await hook.change(...Array.from({ length: 20 }, (_, index) => `c${index}`));
    const before = await rowsOf(hook, 'webhook_deliveries');
    for (let time = 0; time < 3; time++) {
      await hook.send();
      await run(replayWebhook, store, actor, { webhookId, after: '*' });
    }
    expect(hook.posted).toHaveLength(30);
    expect(await rowsOf(hook, 'webhook_deliveries')).toBe(before);
  });
});

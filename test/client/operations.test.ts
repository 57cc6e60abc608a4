import { describe, expect, it } from 'vitest';

import { RosterError } from '../../clients/typescript/src/index.ts';
import { aServedClient } from '../support/client.ts';
import { document } from '../support/document.ts';
import { aMember, storeMembers } from '../support/people.ts';
import { storeWebhook } from '../support/webhooks.ts';

const failed = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('the client', () => {
  it('calls every operation of a Roster, each by its own name', async () => {
    await using at = await aServedClient();
    const { client, chatbotId, store, projectId } = at;
    await storeMembers(store, projectId, [aMember({ roles: ['Owner'] })]);
    const called = new Set<string>();
    const spied = new Proxy(client, {
      get: (target, name: keyof typeof client) => {
        called.add(name);
        return (target[name] as () => unknown).bind(target);
      },
    });

    expect(await spied.getLiveness()).toEqual({ live: true });
    expect(await spied.getReadiness()).toEqual({ ready: true });
    expect(await spied.retrieveApiKey()).toMatchObject({ project_id: projectId });
    expect(await spied.retrieveProjectSettings()).toEqual({ project_id: projectId, name: 'Example Ltd' });
    expect(await spied.updateProjectSettings({ name: 'Example Inc' })).toMatchObject({ name: 'Example Inc' });
    expect(await spied.retrieveUserSeats()).toMatchObject({ used: 1 });
    expect(await spied.retrieveChatbotUsage()).toMatchObject({ used: 1 });
    expect(await spied.retrieveContactUsage()).toMatchObject({ max: 2_147_483_647 });

    const invited = await spied.inviteMember({ email: 'heidi@example.com', roles: ['Editor'], expires_in: '2d' });
    const memberId = invited?.id ?? '';
    const again = await spied.reinviteMember({ memberId });
    const [, token = ''] = again.invitation?.url.split('#') ?? [];
    expect(await spied.acceptInvitation({ token })).toMatchObject({ email: 'heidi@example.com' });
    expect(await spied.retrieveMember({ memberId })).toMatchObject({ status: 'Active' });
    expect(await spied.updateMember({ memberId, roles: ['Admin', 'Billing'] })).toMatchObject({
      roles: ['Admin', 'Billing'],
    });
    const found = await spied.listMembers({ role: 'Billing', include: ['id', 'joined_at'] });
    expect(found).toMatchObject({ pages: { current_page: 1 }, members: [{ id: memberId }] });
    expect(await spied.removeMember({ memberId })).toBeUndefined();

    const chatbot = await spied.createChatbot({ name: 'Front desk' });
    expect(await spied.updateChatbot({ chatbotId, visibility: 'public' })).toMatchObject({ visibility: 'public' });
    expect(await spied.retrieveChatbot({ chatbotId: chatbot?.id ?? '' })).toEqual(chatbot);
    expect((await spied.listChatbots({ per_page: 1 })).pages).toMatchObject({ last_page: 2 });
    expect(await spied.listChatbotTemplates()).toMatchObject({ templates: [] });

    const { id: contactId } = await spied.createContact({ chatbotId, properties: { first_name: 'Ana', phone: '555' } });
    const include = ['details', 'tags', 'attributes'] as const;
    const contact = await spied.retrieveContact({ chatbotId, contactId, include });
    expect(contact).toMatchObject({ name: 'Ana', first_name: 'Ana', tags: [], attributes: {} });
    const properties = { phone: null, tags: { add: ['vip'] }, attributes: { party: 4 }, city: undefined };
    expect(await spied.updateContact({ chatbotId, contactId, include, properties })).toMatchObject({
      phone: null,
      tags: ['vip'],
      attributes: { party: 4 },
    });
    const match = { email: 'bo@example.com' };
    expect(await spied.upsertContact({ chatbotId, match })).toMatchObject({ outcome: 'created', contact: match });
    const bulk = await spied.bulkContacts({
      chatbotId,
      items: [
        { op: 'upsert', match, properties: { company: 'Acme' } },
        { op: 'delete', id: 'nobody' },
      ],
    });
    expect(bulk).toMatchObject({ succeeded: 1, failed: 1, results: [{ outcome: 'updated' }, { code: 'not_found' }] });
    expect((await spied.lookUpContacts({ chatbotId, ...match })).contacts).toMatchObject([{ company: 'Acme' }]);
    expect((await spied.searchContacts({ chatbotId, query: 'acm' })).contacts).toMatchObject([match]);
    const everywhere = await spied.searchAllContacts({ where: [{ field: 'company', is: 'ACME' }], count: true });
    expect(everywhere).toMatchObject({ contacts: [{ chatbot_id: chatbotId }], count: { value: 1, exact: true } });
    expect((await spied.lookUpAllContacts(match)).contacts).toMatchObject([{ chatbot_id: chatbotId, company: 'Acme' }]);
    expect(await spied.deleteContact({ chatbotId, contactId })).toBeUndefined();
    expect((await spied.listContacts({ chatbotId, state: 'deleted' })).contacts).toMatchObject([{ id: contactId }]);
    expect(await spied.restoreContact({ chatbotId, contactId })).toMatchObject({ id: contactId });
    expect((await spied.findDuplicates({ chatbotId, band: 'certain' })).groups).toEqual([]);
    const { id: boId = '' } = (await spied.searchContacts({ chatbotId, query: 'acm' })).contacts[0] ?? {};
    expect(await spied.dismissDuplicates({ chatbotId, contact_ids: [contactId, boId] })).toBeUndefined();
    const merged = await spied.mergeContacts({ chatbotId, contactId, from: [boId] });
    expect(merged).toMatchObject({ contact: { id: contactId } });
    const undone = await spied.undoMerge({ chatbotId, mergeId: merged.merge_id ?? '' });
    expect(undone.contacts.map(({ id }) => id)).toEqual([contactId, boId]);
    const person = await spied.discloseContacts({ contacts: [{ chatbot_id: chatbotId, id: boId }] });
    expect(person).toMatchObject({ contacts: [{ chatbot_id: chatbotId, id: boId }], deleted: [] });
    expect(person.events.length).toBeGreaterThan(2);
    const contacts = [{ chatbot_id: chatbotId, id: boId }];
    expect(await spied.eraseContacts({ contacts, reference: 'Request 1' })).toMatchObject({
      contacts: 1,
      reference: 'Request 1',
    });
    await storeWebhook(store, projectId, 'unsent');
    expect(await spied.testWebhook({ webhookId: 'unsent' })).toMatchObject({ delivered: true, status: 204 });
    const webhook = await spied.createWebhook({ url: 'https://example.com/hook', events: ['contact.*'] });
    const webhookId = webhook?.id ?? '';
    expect((await spied.listWebhooks()).webhooks).toMatchObject([{ id: 'unsent' }, { id: webhookId }]);
    expect(await spied.updateWebhook({ webhookId, state: 'disabled' })).toMatchObject({ disabled_reason: 'requested' });
    expect((await spied.rotateWebhook({ webhookId }))?.secret).not.toBe(webhook?.secret);
    expect(await spied.replayWebhook({ webhookId, after: '*' })).toMatchObject({ state: 'disabled' });
    expect(await spied.replayWebhook({ webhookId, since: '2024-06-08T13:38:33Z' })).toMatchObject({ id: webhookId });
    const noTime = await failed(spied.replayWebhook({ webhookId, since: 'yesterday' }));
    expect(noTime).toMatchObject({ status: 422, message: expect.stringContaining('since must be a time') });
    expect(await spied.retrieveWebhook({ webhookId })).toMatchObject({ events: ['contact.*'] });
    expect((await spied.listDeliveries({ webhookId, failed: true })).deliveries).toEqual([]);
    expect(await spied.deleteWebhook({ webhookId })).toBeUndefined();
    expect((await spied.listEvents({ type: ['contact.restored'] })).events).toMatchObject([{ contact_id: contactId }]);

    const operations = Object.values(document.paths).flatMap((item) => Object.values(item));
    expect([...called].toSorted()).toEqual(operations.map(({ operationId }) => operationId).toSorted());
  });

  it('tells what the headers say, and guards a change by the ETag of what was seen', async () => {
    await using at = await aServedClient({ contacts: 1, settings: { rateLimit: 100 } });
    const { client, chatbotId } = at;
    const id = { chatbotId, contactId: 'c0' };
    const seen = await client.retrieveContact({ ...id, include: ['tags'] }).withResponse();
    expect(seen).toMatchObject({ status: 200, replayed: false, rateLimit: { limit: 100, remaining: 99 } });
    expect(seen.rateLimit?.resetAt.getTime()).toBeGreaterThan(Date.now());
    expect(seen.data.tags).toEqual([]);
    const ifMatch = seen.etag ?? '';
    const change = { ...id, include: ['tags'] as const, properties: { tags: ['vip'] } };
    const changed = await client.updateContact(change, { ifMatch }).withResponse();
    expect(changed.etag).not.toBe(ifMatch);
    expect(await failed(client.deleteContact(id, { ifMatch }))).toMatchObject({
      status: 412,
      code: 'precondition_failed',
    });
    await client.deleteContact(id, { ifMatch: changed.etag });

    const made = await client.createContact({ chatbotId, properties: { name: 'Bo' } }).withResponse();
    expect(made).toMatchObject({ status: 201, location: `/v2/chatbots/${chatbotId}/contacts/${made.data.id}` });
  });

  it('fails with code, request id and field errors, and with the ids in the way', async () => {
    await using at = await aServedClient();
    const { client, chatbotId } = at;
    const wrong = await failed(client.createContact({ chatbotId, properties: { email: 'ana' } }));
    expect(wrong).toBeInstanceOf(RosterError);
    expect(wrong).toMatchObject({
      status: 422,
      code: 'validation_failed',
      requestId: expect.stringMatching(/./),
      fieldErrors: [{ field: 'properties.email', code: 'format' }],
    });
    const properties = { name: 'Ana', external_id: 'crm-1' };
    const { id } = await client.createContact({ chatbotId, properties });
    const taken = await failed(client.createContact({ chatbotId, properties }));
    expect(taken).toMatchObject({ status: 409, code: 'conflict', existing: [id] });
    expect(await failed(client.retrieveContact({ chatbotId, contactId: 'a/b?c#d' }))).toMatchObject({ status: 404 });
  });

  it('refuses an id that would lead to another operation, before it sends anything', async () => {
    await using at = await aServedClient({ contacts: 1 });
    const { client, chatbotId } = at;
    for (const contactId of ['', '.', '..', undefined as unknown as string]) {
      expect(await failed(client.deleteContact({ chatbotId, contactId }))).toBeInstanceOf(TypeError);
    }
    expect((await client.listContacts({ chatbotId })).contacts).toHaveLength(1);
  });
});

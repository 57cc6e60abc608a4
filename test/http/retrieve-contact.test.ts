import { describe, expect, it } from 'vitest';

import { operator } from '../../src/actor.ts';
import { deleteContact } from '../../src/contacts/delete.ts';
import { run } from '../../src/operation.ts';
import { appOfFile } from '../support/app.ts';
import { aContact, aProject, vendorContactId } from '../support/people.ts';

const server = appOfFile();

const path = (chatbotId: string, contactId: string) => `/v2/chatbots/${chatbotId}/contacts/${contactId}`;

describe('GET /v2/chatbots/{chatbotId}/contacts/{contactId}, 200', () => {
  it('has all eight keys in order, null where unknown', async () => {
    const { token, chatbotId } = await aProject(server.store, { contacts: [aContact()] });
    const { status, body } = await server.get(path(chatbotId, vendorContactId), token);
    expect(status).toBe(200);
    expect(body).toBe(
      '{"status":"success","data":{"id":"qtr89df0-112d-d197-b541-3f8674663246","name":"Ana Lucía Ferreira","email":"ana@example.com","job_title":null,"phone":"+1 555 0100","website":"https://example.com","company":null,"created_at":"2024-06-08T13:38:33+00:00"}}',
    );
  });

  it('finds an id of any characters when they are percent-encoded', async () => {
    const id = 'a/b?c#d %é😀';
    const { token, chatbotId } = await aProject(server.store, {
      chatbotId: 'bot/1',
      contacts: [aContact({ id })],
    });
    const { status, json } = await server.get(path(encodeURIComponent(chatbotId), encodeURIComponent(id)), token);
    expect([status, (json['data'] as unknown as { id: string }).id]).toEqual([200, id]);
  });
});

describe('GET /v2/chatbots/{chatbotId}/contacts/{contactId}, 404', () => {
  it('is the same, byte for byte but for the request id, for all that the caller may not know', async () => {
    const own = await aProject(server.store, { contacts: [aContact(), aContact({ id: 'binned' })] });
    const binned = { chatbotId: own.chatbotId, contactId: 'binned' };
    await run(deleteContact, server.store, operator(own.projectId), binned);
    const foreign = await aProject(server.store, { contacts: [aContact({ id: 'foreign' })] });
    const second = await aProject(server.store, {
      chatbotId: 'second',
      contacts: [aContact({ id: 'elsewhere' })],
    });
    const paths = [
      path(own.chatbotId, 'unknown'),
      path('unknown', vendorContactId),
      path(foreign.chatbotId, 'foreign'),
      path(own.chatbotId, 'foreign'),
      path(own.chatbotId, 'binned'),
      path(second.chatbotId, 'elsewhere'),
      path(own.chatbotId, 'x'.repeat(65)),
      path('x'.repeat(200), vendorContactId),
      path(own.chatbotId, '%00'),
      path(own.chatbotId, encodeURIComponent("' or 1=1 --")),
    ];
    const answers = await Promise.all(paths.map((one) => server.get(one, own.token, { 'x-request-id': 'same' })));
    for (const { status, headers, body } of answers) {
      expect([status, body]).toEqual([404, answers[0]?.body]);
      expect(Object.keys(headers)).toEqual(Object.keys(answers[0]?.headers ?? {}));
    }
  });
});

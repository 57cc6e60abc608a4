import assert from 'node:assert/strict';

import { demo } from './demo.js';
import { client } from './roster/client.gen.js';
import { type Contact, listMembers, retrieveContact } from './roster/index.js';

client.setConfig({ baseUrl: demo.address, auth: demo.token });

// The plainest call there is: it compiles only while the document asks for no parameter.
const first = await listMembers();
assert.equal(first.response?.status, 200);
assert.equal(first.data?.status, 'success');
assert.equal(first.data.data.pages.current_page, 1);
assert.ok(first.data.data.members[0]?.roles.includes('Owner'));

const pending = await listMembers({ query: { status: 'Pending', per_page: 1 } });
assert.equal(pending.data?.data.pages.per_page, 1);
assert.deepEqual(
  pending.data.data.members.map(({ status }) => status),
  ['Pending'],
);

const ids = { chatbotId: demo.chatbotId, contactId: demo.contactId };
const found = await retrieveContact({ path: ids });
assert.equal(found.response?.status, 200);
const contact: Contact | undefined = found.data?.data;
assert.equal(contact?.id, demo.contactId);

const missing = await retrieveContact({ path: { ...ids, contactId: 'nobody' } });
assert.equal(missing.response?.status, 404);
assert.equal(missing.error?.code, 'not_found');
assert.equal(missing.error.request_id, missing.response.headers.get('x-request-id'));

import assert from 'node:assert/strict';

import createClient from 'openapi-fetch';

import { demo } from './demo.js';
import type { components, paths } from './roster.js';

const roster = createClient<paths>({
  baseUrl: demo.address,
  headers: { authorization: `Bearer ${demo.token}` },
});

// The plainest call there is: it compiles only while the document asks for no parameter.
const first = await roster.GET('/v2/members');
assert.equal(first.response.status, 200);
assert.equal(first.data?.status, 'success');
assert.equal(first.data.data.pages.current_page, 1);
assert.ok(first.data.data.members[0]?.roles.includes('Owner'));

const pending = await roster.GET('/v2/members', { params: { query: { status: 'Pending', per_page: 1 } } });
assert.equal(pending.data?.data.pages.per_page, 1);
assert.deepEqual(
  pending.data.data.members.map(({ status }) => status),
  ['Pending'],
);

const path = '/v2/chatbots/{chatbotId}/contacts/{contactId}';
const ids = { chatbotId: demo.chatbotId, contactId: demo.contactId };
const found = await roster.GET(path, { params: { path: ids } });
assert.equal(found.response.status, 200);
const contact: components['schemas']['Contact'] | undefined = found.data?.data;
assert.equal(contact?.id, demo.contactId);

const missing = await roster.GET(path, { params: { path: { ...ids, contactId: 'nobody' } } });
assert.equal(missing.response.status, 404);
assert.equal(missing.error?.code, 'not_found');
assert.equal(missing.error.request_id, missing.response.headers.get('x-request-id'));

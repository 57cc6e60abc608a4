import { expect, it } from 'vitest';

import { roles } from '../../src/members/member.ts';
import type { Store } from '../../src/store.ts';
import { openApp } from '../support/app.ts';
import { engines } from '../support/engines.ts';
import { aContact, aMember, aProject, createApiKey, vendorContactId } from '../support/people.ts';

const token = 'sk-the-same-key-on-both-engines';

/** Texts that a collation, an encoding or a number type could change on the way. */
async function fill(store: Store) {
  const members = Array.from({ length: 40 }, (_, i) =>
    aMember({
      email: `${['Zoë', 'ada', 'Ömer', 'a_b', 'A-B', 'ß'][i % 6]}${i}@example.com`,
      status: i % 3 ? 'Active' : 'Pending',
      roles: i === 17 ? ['Owner', 'Billing'] : [roles[1 + (i % 6)] ?? 'Admin'],
    }),
  );
  const contacts = ['a', 'B', 'é', '00042', '42', "it's", '😀', 'x'.repeat(64)].map((id) =>
    aContact({ id, name: `${id}\t"{},NULL\\`, company: 'NULL', phone: null }),
  );
  await aProject(store, { id: 'acme', chatbotId: 'desk', members, contacts: [...contacts, aContact()] });
  await createApiKey(store, 'acme', { name: 'same', token });
  await aProject(store, { id: 'other', chatbotId: 'desk', contacts: [aContact({ id: 'foreign' })] });
}

it('both engines give the same answers, to the byte', async () => {
  await using sqlite = await engines[0].open();
  await using postgres = await engines[1].open();
  await using one = await openApp({}, sqlite.store);
  await using two = await openApp({}, postgres.store);
  for (const { store } of [one, two]) await fill(store);
  const pages = ['', '?page=2', '?page=3&per_page=7', '?page=999999999', '?per_page=100', '?page=0'];
  const filters = ['?status=Pending', '?role=Billing', '?email=ZO%C3%8B0%40EXAMPLE.COM', '?role=Owner&page=2'];
  const ids = ['a', 'A', 'B', 'é', 'e', '42', '042', '00042', "it's", '😀', 'x'.repeat(64), 'foreign', '%', '_', '1'];
  const paths = [
    ...[...pages, ...filters].map((query) => `/v2/members${query}`),
    ...[...ids, vendorContactId].map((id) => `/v2/chatbots/desk/contacts/${encodeURIComponent(id)}`),
    '/v2/chatbots/Desk/contacts/a',
    '/readyz',
  ];
  let found = 0;
  for (const path of paths) {
    const asked = await Promise.all([one, two].map((app) => app.get(path, token, { 'x-request-id': 'same' })));
    const [a, b] = asked.map(({ status, body, headers: { date, etag, ...headers } }) => {
      // The revision is of the time of writing.
      return { path, status, body, headers, isDated: date !== undefined, digest: etag?.replace(/^"\d+\./, '"') };
    });
    expect(b).toEqual(a);
    if (a?.status === 200) found++;
  }
  expect(found).toBeGreaterThan(15);
});

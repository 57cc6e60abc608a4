import { expect, it } from 'vitest';

import { suggestInProject } from '../../src/contacts/duplicates/suggest.ts';
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
    aContact({
      id,
      name: `${id}\t"{},NULL\\`,
      company: 'NULL',
      phone: null,
      tags: ['größe', id.slice(0, 40)],
      external_id: `X${id.slice(0, 60)}`,
    }),
  );
  await aProject(store, { id: 'acme', chatbotId: 'desk', members, contacts: [...contacts, aContact()] });
  await createApiKey(store, 'acme', { name: 'same', token });
  for await (const _ of suggestInProject(store, 'find-duplicates', 'acme'));
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
  const desk = '/v2/chatbots/desk/contacts';
  const lists = ['', '?page=2&per_page=4', '?sort=date_asc&include=tags,external_id', '?cursor=*', '?state=deleted'];
  const asked: [path: string, payload?: object][] = [
    ...[...pages, ...filters].map((query): [string] => [`/v2/members${query}`]),
    ...[...ids, vendorContactId].map((id): [string] => [`${desk}/${encodeURIComponent(id)}`]),
    ...lists.map((query): [string] => [`${desk}${query}`]),
    ['/v2/chatbots/Desk/contacts/a'],
    ['/readyz'],
    ...['ana', 'É', '😀', 'null', 'gros', 'xx'].map((query): [string, object] => [`${desk}/search`, { query }]),
    ...[
      { email: 'ANA@example.com' },
      { external_id: 'Xé' },
      { external_id: 'Xe' },
      { phone: '15550100' },
      { ids },
    ].flatMap((by): [string, object][] => [
      [`${desk}/lookup`, by],
      ['/v2/contacts/lookup', by],
    ]),
    [`${desk}/duplicates`, { band: 'likely' }],
  ];
  let found = 0;
  for (const [path, payload] of asked) {
    const headers = { authorization: `Bearer ${token}`, 'x-request-id': 'same' };
    const both = [one, two].map((app) =>
      app.ask({ method: payload ? 'POST' : 'GET', url: path, headers, ...(payload && { payload }) }),
    );
    const [a, b] = (await Promise.all(both)).map(({ status, body, headers: { date, etag, ...others } }) => {
      // The revision is of the time of writing.
      return { path, status, body, others, isDated: date !== undefined, digest: etag?.replace(/^"\d+\./, '"') };
    });
    expect(b).toEqual(a);
    if (a?.status === 200) found++;
  }
  expect(found).toBeGreaterThan(35);
});

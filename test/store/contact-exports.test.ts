import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { attributesOf, tagsOf } from '../../src/contacts/change/put.ts';
import {
  type Attributes,
  contactDetailNames,
  furtherDetailNames,
  type StoredContact,
  unknownContact,
} from '../../src/contacts/contact.ts';
import { formats } from '../../src/files/formats.ts';
import { engines, shared } from '../support/engines.ts';
import { exportText, importText } from '../support/files.ts';
import { aContact, aProject, createChatbot, storeContacts } from '../support/people.ts';

const odd = [
  '=1+1',
  "'-x",
  '@a',
  '-2',
  'a,b;c|d',
  'two\nlines',
  'a\rb',
  'a\r\nb',
  'a ::: b',
  '"q"',
  '007',
  'NULL',
  'true',
  '{"a":1}',
];
const text = fc.oneof(
  fc.constantFrom(...odd),
  fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 30 })
    .map((one) => one.trim())
    .filter((one) => one !== ''),
);
const maybe = fc.option(text, { nil: null });
const names = [...contactDetailNames, ...furtherDetailNames];
const details = fc.record(
  Object.fromEntries(names.map((name) => [name, maybe])) as Record<(typeof names)[number], typeof maybe>,
);
const number = fc.double({ noNaN: true, noDefaultInfinity: true }).map((one) => (one === 0 ? 0 : one));
const attributeName = fc.oneof(
  fc.constantFrom('constructor', 'a__b', 'tags'),
  fc.stringMatching(/^[a-z][a-z0-9_]{0,39}$/),
);
const attributes = fc
  .array(fc.tuple(attributeName, fc.oneof(text, number, fc.boolean(), fc.maxSafeInteger())), { maxLength: 5 })
  .map((entries) => attributesOf(entries));
const tag = text.map((one) => one.replaceAll(/[,;|]/g, '.').toLowerCase().trim()).filter((one) => one.length <= 40);
const person = fc
  .record({
    details,
    attributes,
    tags: fc.array(tag, { maxLength: 5 }),
    externalId: maybe,
    email: fc.boolean(),
    website: fc.boolean(),
  })
  .map((one) => ({ ...one, tags: tagsOf(one.tags) }));
const people = fc.array(person, { minLength: 1, maxLength: 5 }).map((all) =>
  all.map(({ details: given, externalId, email, website, ...more }, i): StoredContact => {
    const known = {
      ...given,
      email: email ? `Person${i}@example.com` : null,
      website: website ? 'https://example.com/?a=b' : null,
    };
    return {
      ...unknownContact,
      ...known,
      // A contact without a name has no parts of one, and something else.
      ...(known.name === null && { first_name: null, last_name: null, phone: known.phone ?? '555' }),
      ...more,
      id: `${i} ${given.city ?? 'x'}`,
      external_id: externalId === null ? null : `${i} ${externalId}`,
      created_at: '2024-06-08T13:38:33+00:00',
    };
  }),
);

const asText = (values: Attributes) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));

describe.each(engines)('an export of contacts from $engine', ({ engine, open }) => {
  const opened = shared(open);

  it.each(formats)('as %s makes the same people elsewhere, and changes nobody where they come from', async (format) => {
    const { store } = opened;
    const { projectId } = await aProject(store);
    const aDesk = async () => ({
      store,
      projectId,
      chatbotId: (await createChatbot(store, projectId, { name: 'Desk' })).id,
    });
    await fc.assert(
      fc.asyncProperty(people, async (contacts) => {
        const [here, there] = [await aDesk(), await aDesk()];
        const everybody = async ({ chatbotId }: { chatbotId: string }) =>
          (await Array.fromAsync(store.contacts.listAll(projectId, chatbotId))).flat();
        await storeContacts(store, projectId, here.chatbotId, contacts);
        const before = await everybody(here);
        const file = await exportText(here, format);
        expect(await importText(here, file, { format })).toMatchObject({ unchanged: contacts.length, reasons: {} });
        expect(await everybody(here)).toEqual(before);
        expect(await importText(there, file, { format })).toMatchObject({ created: contacts.length, reasons: {} });
        expect(await everybody(there)).toEqual(
          before.map((contact) => ({
            ...contact,
            updated_at: expect.any(String),
            inserted_as: expect.any(String),
            revision: expect.any(Number),
            // Cells of CSV are texts.
            attributes: format === 'csv' ? asText(contact.attributes) : contact.attributes,
          })),
        );
        expect(await importText(there, file, { format })).toMatchObject({ unchanged: contacts.length });
      }),
      // What is odd in a file does not depend on the engine.
      { seed: 20_261_122, numRuns: engine === 'SQLite' ? 15 : 4 },
    );
  });

  it('has a column for every attribute of anybody, after the columns that were there before', async () => {
    const { store } = opened;
    const many = Array.from({ length: 1_200 }, (_, i) => aContact({ id: `p${i}` }));
    const { projectId, chatbotId } = await aProject(store, {
      contacts: [
        ...many,
        aContact({ id: 'zz', attributes: { b: 2, a: '=1' }, tags: ['x', 'y'], external_id: 'e' }),
        aContact({ id: 'a', attributes: { c: true } }),
      ],
    });
    const [headings, first, ...rest] = (await exportText({ store, projectId, chatbotId }, 'csv')).trim().split('\n');
    expect(headings).toBe(
      'id,name,email,job_title,phone,website,company,created_at,first_name,last_name,industry,address,city,state,postal_code,country,external_id,attributes.a,attributes.b,attributes.c,tags',
    );
    expect(first).toMatch(/^a,.*,,,,true,$/);
    expect(rest.at(-1)).toMatch(/^zz,.*,e,'=1,2,,"x,y"$/);
    const ndjson = (await exportText({ store, projectId, chatbotId }, 'ndjson')).trim().split('\n');
    expect(JSON.parse(ndjson.at(-1) ?? '')).toMatchObject({ attributes: { a: '=1', b: 2 }, tags: ['x', 'y'] });
  });

  it('holds nobody of another chatbot, nobody of the bin, and no column for their attributes', async () => {
    const { store } = opened;
    await aProject(store, { chatbotId: 'other', contacts: [aContact({ attributes: { secret: 1 } })] });
    const { projectId, chatbotId } = await aProject(store, { contacts: [aContact({ id: 'a' })] });
    expect(await exportText({ store, projectId, chatbotId }, 'csv')).not.toContain('secret');
  });
});

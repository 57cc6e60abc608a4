import { expect, describe, it } from 'vitest';

import { contactColumns } from '../src/contacts/columns.ts';
import { contactDetailNames, contactDetails, contactFields, furtherDetailNames } from '../src/contacts/contact.ts';
import { contactReader } from '../src/contacts/draft.ts';
import { exportContacts } from '../src/contacts/export.ts';
import { contactInsertion } from '../src/database/contact-rows.ts';
import { tables } from '../src/database/upkeep/copy-tables.ts';
import { matchColumns } from '../src/files/columns.ts';
import { exportPeople } from '../src/files/writing.ts';
import type { Field } from '../src/values/field.ts';
import { document } from './support/document.ts';
import { engines } from './support/engines.ts';
import { aContact, aProject, storeContacts } from './support/people.ts';

const ownerColumns = ['project_id', 'chatbot_id'];
const importColumns = ['email_key', 'import_digest', 'inserted_as'];
const included = [...furtherDetailNames, 'external_id', 'attributes', 'tags', 'updated_at'];
const allColumns = [...ownerColumns, ...contactFields, ...importColumns, ...included, 'revision', 'phone_key'];

describe('the one declaration of a contact', () => {
  it.each(engines)('is the columns of its tables on $engine, which refuse an empty text', async ({ open }) => {
    await using opened = await open();
    const columnsOf = async (table: string) => {
      const query =
        opened.database.engine === 'sqlite'
          ? `select name from pragma_table_info('${table}')`
          : `select column_name as name from information_schema.columns where table_name = '${table}'`;
      return (await opened.database.all<{ name: string }>({ pieces: [query], values: [] })).map(({ name }) => name);
    };
    expect((await columnsOf('contacts')).toSorted()).toEqual([...allColumns, 'search_key', 'place'].toSorted());
    expect(await columnsOf('deleted_contacts')).toEqual(expect.arrayContaining(allColumns));
    expect(await columnsOf('merged_contacts')).toEqual(expect.arrayContaining(allColumns));
    const { projectId, chatbotId } = await aProject(opened.store);
    for (const field of [...contactDetailNames, ...furtherDetailNames, 'external_id']) {
      const empty = aContact({ id: field, [field]: '' });
      const storing = storeContacts(opened.store, projectId, chatbotId, [empty]);
      await expect(storing, field).rejects.toThrow();
    }
  });

  it('is the columns of insertions and copies', () => {
    expect(contactInsertion.columns).toEqual([...allColumns, 'search_key', 'former_terms']);
    expect(tables.find(({ name }) => name === 'contacts')?.columns).toEqual([...allColumns, 'place']);
  });

  it('is the properties of a contact in the OpenAPI document', () => {
    const { properties, required } = document.components.schemas['Contact'] as {
      properties: Record<string, { description: string; maxLength: number; pattern: string }>;
      required: string[];
    };
    expect(Object.keys(properties)).toEqual([...contactFields, ...included, 'deleted_at']);
    expect(required).toEqual(contactFields);
    for (const field of contactDetailNames) {
      const { description, lengthMax, pattern }: Field = contactDetails[field];
      expect(properties[field]?.description).toMatch(description);
      expect(properties[field]).toMatchObject({
        maxLength: lengthMax,
        ...(pattern !== undefined && { pattern }),
      });
    }
  });

  it('is the first line of an exported CSV, whose headings an import knows', async () => {
    const none = { listAll: async function* () {}, attributeNames: async () => ['a', 'party'] };
    const { pages, fields } = await exportContacts(none, { projectId: 'p', chatbotId: 'b' }, true);
    const [heading = ''] = await Array.fromAsync(exportPeople(pages, fields, 'csv'));
    const headings = heading.trim().split(',');
    const attributes = ['attributes.a', 'attributes.party'];
    expect(headings).toEqual([...contactFields, ...furtherDetailNames, 'external_id', ...attributes, 'tags']);
    const { sources, leftOut } = matchColumns(headings, contactReader, new Map());
    const found = new Map([...sources].map(([field, [parts]]) => [field, parts]));
    for (const [place, field] of headings.entries()) expect([field, found.get(field)]).toEqual([field, [place]]);
    expect(leftOut).toEqual([]);
  });

  it('has no heading that means two fields, but for the parts of a name, which make it too', () => {
    const names = Object.keys(contactColumns) as (keyof typeof contactColumns)[];
    const meant = Map.groupBy(
      names.flatMap((field) =>
        contactColumns[field].headings
          .replaceAll(/[?]|[&!]\w+/g, '')
          .split(/[ +/]/)
          .map((heading) => ({ heading, field })),
      ),
      ({ heading }) => heading,
    );
    const fieldsOf = [...meant.values()].map((all) => [...new Set(all.map(({ field }) => field))]);
    const ambiguous = fieldsOf.filter((fields) => fields.length > 1).flat();
    expect(new Set(ambiguous)).toEqual(new Set(['name', 'first_name', 'last_name']));
  });
});

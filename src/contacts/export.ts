import { AppError } from '../errors.ts';
import { attributeColumns } from './columns.ts';
import { contactFields, furtherDetailNames, type StoredContact } from './contact.ts';
import type { ContactReads } from './store.ts';
import { viewOf } from './view.ts';

const columnsMax = 10_000;

export interface ExportedContacts {
  pages: AsyncIterable<readonly object[]>;
  fields: readonly string[];
}

/** Everybody in a chatbot, as an import reads them. Throws `invalid` for too many columns. */
export async function exportContacts(
  contacts: Pick<ContactReads, 'listAll' | 'attributeNames'>,
  { projectId, chatbotId }: { projectId: string; chatbotId: string },
  inColumns: boolean,
): Promise<ExportedContacts> {
  const people = contacts.listAll(projectId, chatbotId);
  if (!inColumns) return { pages: eachPage(people, inWhole), fields: [] };
  const names = await contacts.attributeNames(projectId, chatbotId, columnsMax);
  if (names.length > columnsMax) {
    throw new AppError(
      'invalid',
      `The contacts have more than ${columnsMax} different attributes, too many columns for CSV; take NDJSON.`,
    );
  }
  const attributes = names.map((name) => `${attributeColumns.prefix}${name}`);
  return {
    pages: eachPage(people, inCells),
    fields: [...contactFields, ...furtherDetailNames, 'external_id', ...attributes, 'tags'],
  };
}

async function* eachPage(pages: AsyncIterable<readonly StoredContact[]>, as: (contact: StoredContact) => object) {
  for await (const page of pages) yield page.map(as);
}

function inWhole(contact: StoredContact): object {
  return viewOf(contact, ['details', 'external_id', 'attributes', 'tags']);
}

function inCells(contact: StoredContact): object {
  const attributes = Object.entries(contact.attributes).map(([name, value]) => [attributeColumns.prefix + name, value]);
  return { ...contact, ...Object.fromEntries(attributes) };
}

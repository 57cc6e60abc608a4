import { attributeColumns, contactColumns, earlierColumns, type ImportedField } from './columns.ts';
import { contactFields, furtherDetailNames } from './contact.ts';
import { checkContact, type ContactDraft, type ContactTexts, warningsOf } from './draft.ts';

/** How the rows of a file become drafts of contacts. */
export const contactReader = {
  columns: contactColumns,
  open: attributeColumns,
  earlier: earlierColumns,
  // A file without any of these would make people whom nobody can tell apart.
  needed: [['id', 'name', 'email', 'phone', 'external_id']],
  foundBy: ['id', 'external_id', 'email'],
  optional: [...contactFields.filter((field) => field !== 'id'), ...furtherDetailNames, 'tags', 'attributes'],
  draft: draftContact,
  warnings: warningsOf,
} as const satisfies { optional: readonly ImportedField[]; [more: string]: unknown };

function draftContact(
  { texts, values }: { texts: ContactTexts; values?: Record<string, unknown> },
  earlier?: ContactTexts,
): ContactDraft | { objections: string[] } {
  const checked = checkContact(texts, values);
  if ('objections' in checked || earlier === undefined) return checked;
  const { created_at } = checked.texts;
  return { ...checked, earlier: created_at === undefined ? earlier : { ...earlier, created_at } };
}

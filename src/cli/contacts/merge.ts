import { mergeContacts } from '../../contacts/merging/merge.ts';
import { undoMerge } from '../../contacts/merging/undo.ts';
import type { Include } from '../../contacts/view.ts';
import { note } from '../output.ts';
import { type Flags, repeated } from '../parts.ts';
import { inChatbot, type InChatbot, theContact, thing } from '../places.ts';
import { plain } from '../plain.ts';
import { allInText, contactText, contactsText, included, type View } from './shown.ts';

const changes = { settings: ['databaseUrl', 'binDays'] } as const;

type MergeFlags = Flags<InChatbot & { keep?: string[]; include?: Include[] }>;

/** A field, and the contact whose value stays. */
function keepOf(texts: readonly string[] = []): Record<string, string> {
  return Object.fromEntries(
    texts.map((text) => {
      const at = text.indexOf('=');
      return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
    }),
  );
}

export const merge = plain('merge', mergeContacts, theContact, {
  ...changes,
  says: 'put other contacts into this one: it keeps its values, and takes what it lacks',
  examples: [
    'roster contacts merge CONTACT_ID --from OTHER_ID --chatbot 8839210412',
    'roster contacts merge CONTACT_ID --from OTHER_ID --keep phone=OTHER_ID --dry-run --chatbot 8839210412',
  ],
  takes: {
    from: ['--from <id>', 'a contact that is put into it; may be repeated'],
    dry_run: ['--dry-run', 'only tell what it would take, and what would be lost'],
    include: allInText,
  },
  options: [repeated('--keep <field=id>', 'whose value of a field stays, such as phone=OTHER_ID')],
  input: (given: MergeFlags) => ({ ...(given.keep && { keep: keepOf(given.keep) }), ...included(given) }),
  text: ({ contact, taken, lost }) => {
    const took = Object.entries(taken).map(([field, id]) => `taken: ${field} of ${id}`);
    const gone = lost.map(({ field, contact_id: id }) => `lost: ${field} of ${id}`);
    return [contact === null ? '' : contactText(contact), ...took, ...gone].join('\n');
  },
  after: ({ merge_id: id, undo_until: until }, { json }) => {
    if (json === true) return;
    if (id === null) note('Nothing is stored.');
    else if (until !== null) note(`"roster contacts unmerge ${id}" undoes it until ${until}.`);
  },
});

const theMerge = thing(inChatbot, 'mergeId', '<merge-id>', 'its id, as "contacts merge" shows it');

export const unmerge = plain('unmerge', undoMerge, theMerge, {
  ...changes,
  says: 'undo a merge: the merged contacts come back as they were',
  examples: [
    'roster contacts unmerge MERGE_ID --chatbot 8839210412',
    'roster contacts unmerge MERGE_ID --chatbot 8839210412 --json',
  ],
  takes: { include: allInText },
  input: included,
  text: ({ contacts }) => contactsText(contacts as View[]),
  after: ({ kept }, { json }) => {
    if (json !== true && kept.length > 0) note(`Changed since, and kept: ${kept.join(', ')}.`);
  },
});

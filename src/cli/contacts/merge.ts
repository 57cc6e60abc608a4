import { fieldName, mergeContacts } from '../../contacts/merging/merge.ts';
import { undoMerge } from '../../contacts/merging/undo.ts';
import type { Include } from '../../contacts/view.ts';
import { shellWord } from '../../values/shell-word.ts';
import { UsageError } from '../failures.ts';
import { note } from '../output.ts';
import { type Flags, repeated } from '../parts.ts';
import { inChatbot, type InChatbot, theContact, thing } from '../places.ts';
import { plain } from '../plain.ts';
import { allInText, contactsText, contactText, included } from './shown.ts';

const changes = { settings: ['databaseUrl', 'binDays'] } as const;

type MergeFlags = Flags<InChatbot & { keep?: string[]; include?: Include[] }>;

const isFieldName = new RegExp(fieldName.pattern);

/** The id of a contact, by the field whose value stays. */
function keepOf(texts: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    texts.map((text) => {
      const at = text.indexOf('=');
      // A message may repeat the name of a field, and no other text.
      if (at < 1 || !isFieldName.test(text.slice(0, at)) || at === text.length - 1)
        throw new UsageError('--keep takes FIELD=ID, such as phone=CONTACT_ID.');
      return [text.slice(0, at), text.slice(at + 1)];
    }),
  );
}

export const merge = plain('merge', mergeContacts, theContact, {
  ...changes,
  says: 'merge other contacts into this one: its values win, and theirs fill what it lacks',
  examples: [
    'roster contacts merge CONTACT_ID --from OTHER_ID --chatbot 8839210412',
    'roster contacts merge CONTACT_ID --from OTHER_ID --keep phone=OTHER_ID --dry-run --chatbot 8839210412',
  ],
  takes: {
    from: ['--from <id>', 'a contact to merge into it; may be repeated'],
    dry_run: ['--dry-run', 'say what it would take and what would be lost, and store nothing'],
    include: allInText,
  },
  options: [
    repeated('--keep <field=id>', 'the contact whose value of a field stays, such as phone=OTHER_ID; may be repeated'),
  ],
  nameOf: (_given, field) => (field.startsWith('keep.') ? `--keep ${field.slice('keep.'.length)}` : undefined),
  input: (given: MergeFlags) => ({ ...(given.keep && { keep: keepOf(given.keep) }), ...included(given) }),
  text: ({ contact, taken, lost }) => {
    const took = Object.entries(taken).map(([field, id]) => `taken: ${field} of ${id}`);
    const gone = lost.map(({ field, contact_id: id }) => `lost: ${field} of ${id}`);
    return [contact === null ? '' : contactText(contact), ...took, ...gone].join('\n');
  },
  after: ({ merge_id: id, undo_until: until }, { json, chatbot, project }) => {
    if (json === true) return;
    const where = `--chatbot ${shellWord(chatbot)}${project === undefined ? '' : ` --project ${shellWord(project)}`}`;
    if (id === null) note('Dry run: nothing was stored.');
    else if (until !== null) note(`Until ${until} this undoes it: roster contacts unmerge ${id} ${where}`);
  },
});

const undoOnce =
  'A merge can be undone once, within ROSTER_BIN_DAYS. Its id is lost? Run the same\n"contacts merge" again: it changes nothing, and shows the id.';

const theMerge = thing(inChatbot, 'mergeId', '<merge-id>', 'its id, as "contacts merge" shows it');

export const unmerge = plain('unmerge', undoMerge, theMerge, {
  ...changes,
  says: 'undo a merge: bring the merged contacts back as they were',
  examples: [
    'roster contacts unmerge MERGE_ID --chatbot 8839210412',
    'roster contacts unmerge MERGE_ID --chatbot 8839210412 --json',
  ],
  more: undoOnce,
  takes: { include: allInText },
  input: included,
  text: ({ contacts }) => contactsText(contacts),
  after: ({ kept }, { json }) => {
    if (json !== true && kept.length > 0) note(`Not undone, because changed since: ${kept.join(', ')}.`);
  },
});

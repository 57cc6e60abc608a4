import { dismissDuplicates } from '../../contacts/duplicates/dismiss.ts';
import { findDuplicates } from '../../contacts/duplicates/find.ts';
import { counted, noteUnlessJson } from '../output.ts';
import { inChatbot } from '../places.ts';
import { plain } from '../plain.ts';
import { table } from '../table.ts';

const columns = ['id', 'name', 'email', 'phone'] as const;
const shared = { same: 'same', same_digits: 'same digits of', same_words: 'same words of', one_side: 'only one has a' };

export const duplicates = plain('duplicates', findDuplicates, inChatbot, {
  says: 'suggest contacts who may be one person',
  examples: [
    'roster contacts duplicates --chatbot 8839210412',
    'roster contacts duplicates --chatbot 8839210412 --band certain --limit 100 --json',
  ],
  more: 'A service ("roster serve") makes the suggestions; as_of is the last event that\nthey know. "contacts merge" makes one contact of a group, and "contacts dismiss"\nends the suggestion.',
  takes: {
    band: 'only these: certain, likely',
    limit: 'how many groups (default: 25)',
    cursor: ['--after <cursor>', 'go on after this cursor, the next_cursor of an earlier list'],
  },
  text: ({ groups }) =>
    groups
      .map(({ band, reasons, contacts }) => {
        const why = reasons.map(({ field, match }) => `${shared[match]} ${field.replace('_', ' ')}`).join(', ');
        return `${band}: ${why}\n${table(contacts, columns, columns.slice(1))}`;
      })
      .join('\n\n') || 'No duplicates are known.',
  after: async ({ as_of: asOf }, given, { store, projectId }) => {
    if (asOf === '0') return noteUnlessJson(given, 'The contacts are not compared yet; a service does it.');
    const after = BigInt(asOf);
    const { last } = await store.events.list(projectId, { after, types: [], limit: 1 });
    const newer = Number(last - after);
    const lag = newer > 0 ? `; ${counted(newer, 'newer event waits', 'newer events wait')} for a service` : '';
    noteUnlessJson(given, `as of event ${asOf}${lag}`);
  },
});

export const dismiss = plain('dismiss', dismissDuplicates, inChatbot, {
  says: 'say that contacts are different people, so that they are not suggested together again',
  examples: [
    'roster contacts dismiss --id CONTACT_ID --id OTHER_ID --chatbot 8839210412',
    'roster contacts dismiss --id CONTACT_ID --id OTHER_ID --id A_THIRD_ID --chatbot 8839210412 --json',
  ],
  takes: { contact_ids: ['--id <id>', 'one of them; give at least two'] },
  result: () => ({ status: 'success' }),
  text: () => 'They are not suggested together again.',
});

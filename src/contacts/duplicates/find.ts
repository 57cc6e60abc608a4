import { chatbotIdSchema } from '../../chatbots/chatbot.ts';
import { requireChatbot } from '../../chatbots/require.ts';
import { read } from '../../operation.ts';
import { cursorSchema, nextCursorSchema, walkThrough } from '../../values/cursor.ts';
import { object } from '../../values/object-schema.ts';
import { limitSchema } from '../../values/page.ts';
import { isId } from '../../values/text.ts';
import type { Contact } from '../contact.ts';
import { contactSchema, exampleView, viewOf } from '../view.ts';
import { groupMax, groupsAfter } from './groups.ts';
import { reasonsIn } from './pairs.ts';
import { bands, type PairPlace } from './store.ts';

const limitDefault = 25;
const limitMax = 100;

const reasonSchema = object({
  field: {
    type: 'string',
    enum: ['email', 'phone', 'name', 'company', 'email_domain'],
    description: 'The field that they share.',
  },
  match: {
    type: 'string',
    enum: ['same', 'same_digits', 'same_words', 'one_side'],
    description:
      '`same_digits`: the last nine digits. `same_words`: in any order. `one_side`: only one of them has a name.',
  },
});

const groupSchema = object(
  {
    band: { type: 'string', enum: bands, description: 'How strong the reasons are.' },
    reasons: { type: 'array', minItems: 1, maxItems: 6, items: reasonSchema },
    contacts: { type: 'array', minItems: 2, maxItems: groupMax, items: contactSchema },
  },
  { title: 'Duplicates', description: 'Contacts who may be one person; every two of them are a pair.' },
);

export const findDuplicates = read({
  name: 'findDuplicates',
  scope: 'contacts:read',
  document: {
    tag: 'Contacts',
    summary: 'Find duplicates',
    description:
      'Suggests contacts who may be one person, the certain ones first. *certain*: the same e-mail or phone (its last nine digits), and the same words of the name, or a name on one side only. *likely*: the same e-mail or phone with other names, or the same words of the name with the same company or the same domain of the e-mail, unless it is a public mailbox. Contacts whose e-mail and phone both differ are not suggested; an e-mail or phone that more than five share suggests nobody, nor does a name with its company or domain that more than twenty share. A job keeps the suggestions up to date, up to the event `as_of`.',
    answer:
      'The groups, `next_cursor`, and in `as_of` the sequence of the newest event that they know: at most a minute old while a service runs (older where hundreds of contacts change each second), and 0 until all contacts are compared.',
  },
  input: object(
    { chatbotId: chatbotIdSchema },
    {
      optional: {
        band: { type: 'string', enum: bands, description: 'Only groups of this band.', examples: ['certain'] },
        limit: limitSchema(limitDefault, limitMax, 'How many groups.'),
        cursor: {
          ...cursorSchema,
          description: 'Goes on with the `next_cursor` of the same question; `*` is the beginning.',
        },
      },
    },
  ),
  output: object({
    groups: { type: 'array', items: groupSchema, maxItems: limitMax },
    next_cursor: nextCursorSchema,
    as_of: {
      type: 'string',
      maxLength: 18,
      pattern: '^\\d+$',
      description: 'A sequence of `/v2/events`.',
      examples: ['42'],
    },
  }),
  errors: ['invalid', 'not_found'],
  example: {
    groups: [
      {
        band: 'certain',
        reasons: [...reasonsIn(1)],
        contacts: [exampleView, { ...exampleView, id: '019aaaaa-0000-7000-8000-000000000000' }],
      },
    ],
    next_cursor: null as string | null,
    as_of: '42',
  },
  run: async (reads, { projectId }, { chatbotId, band, limit = limitDefault, cursor = '*' }) => {
    const walk = walkThrough(['duplicates', projectId, chatbotId, band ?? ''], cursor, toPlace);
    await requireChatbot(reads.chatbots, projectId, chatbotId);
    const progress = await reads.duplicates.progress(projectId);
    const asOf = progress?.contact_id === null ? progress.counted : 0;
    const { rows, next_cursor } = await walk.take(
      limit,
      (place, most) => groupsAfter(reads.duplicates, [projectId, chatbotId], band, place, most),
      ({ band, ids }) => [String(band), ...ids.slice(0, 2)],
    );
    const found = await reads.contacts.among(projectId, chatbotId, [...new Set(rows.flatMap(({ ids }) => ids))]);
    const contacts = new Map<string, Contact>(found.map((contact) => [contact.id, contact]));
    const groups = rows.map(({ band, ids, reasons }) => ({
      band: bands[band] ?? 'likely',
      reasons: reasonsIn(reasons),
      contacts: ids.flatMap((id) => contacts.get(id) ?? []).map((contact) => viewOf(contact)),
    }));
    // A contact may have gone between two statements.
    return { groups: groups.filter((group) => group.contacts.length > 1), next_cursor, as_of: String(asOf) };
  },
});

function toPlace(parts: readonly unknown[]): PairPlace | undefined {
  const [band, ...ids] = parts;
  const [one_id, other_id] = ids.filter((id) => typeof id === 'string' && isId(id)) as string[];
  const isPlace = parts.length === 3 && one_id !== undefined && other_id !== undefined;
  return isPlace && (band === '0' || band === '1') ? { band: Number(band), one_id, other_id } : undefined;
}

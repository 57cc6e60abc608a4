import { chatbotIdSchema } from '../chatbots/chatbot.ts';
import { requireChatbot } from '../chatbots/require.ts';
import { read } from '../operation.ts';
import type { Reads } from '../store.ts';
import { storablePattern } from '../values/field.ts';
import { eachInTurn } from '../values/give-way.ts';
import { object } from '../values/object-schema.ts';
import { attributePrefix } from './change/given.ts';
import type { StoredContact } from './contact.ts';
import { textFields } from './where.ts';
import { foldedText, foldedWords } from './words.ts';

/** So many contacts are looked at, the newest first: an answer costs the same for a project of any size. */
const sampleMax = 300;
const valuesMax = 20;

/** Words of these are in the index, so that a rare value is found too. */
const indexedFields: ReadonlySet<string> = new Set(['company', 'job_title', 'tags']);
const attributeNames = 'attributes';

type Value = string | number | boolean;

/** The values of a field that begin with a text, the most frequent first, for whoever filters on a page. */
export const listFieldValues = read({
  name: 'listFieldValues',
  scope: 'contacts:read',
  input: object(
    {
      field: {
        type: 'string',
        pattern: `^(?:${[...textFields, 'tags', attributeNames].join('|')}|attributes\\.[a-z][a-z0-9_]{0,39})$`,
      },
    },
    { optional: { text: { type: 'string', maxLength: 100, pattern: storablePattern }, chatbot_id: chatbotIdSchema } },
  ),
  run: async ({ chatbots, contacts }, { projectId }, { field, text = '', chatbot_id: chatbotId }) => {
    if (chatbotId !== undefined) await requireChatbot(chatbots, projectId, chatbotId);
    const sample = await sampleOf(contacts, projectId, chatbotId, field, text);
    const beginning = foldedText(text);
    const counts = new Map<Value, number>();
    await eachInTurn(sample, (contact) => {
      for (const value of valuesIn(contact, field)) {
        if (isBegun(String(value), beginning)) counts.set(value, (counts.get(value) ?? 0) + 1);
      }
    });
    const values = [...counts].map(([value, count]) => ({ value, count }));
    const sorted = values.toSorted((a, b) => b.count - a.count || (String(a.value) < String(b.value) ? -1 : 1));
    return { values: sorted.slice(0, valuesMax), is_complete: sample.length < sampleMax };
  },
});

async function sampleOf(
  contacts: Reads['contacts'],
  projectId: string,
  chatbotId: string | undefined,
  field: string,
  text: string,
): Promise<StoredContact[]> {
  const chatbotIds = chatbotId === undefined ? undefined : [chatbotId];
  const words = indexedFields.has(field) ? [...new Set(foldedWords(text))].slice(0, 3) : [];
  const where = field.startsWith(attributePrefix) ? [{ field, known: true }] : undefined;
  const search = { chatbotIds, words, where, order: 'newest', limit: sampleMax } as const;
  return (await contacts.search(projectId, search, true)) as StoredContact[];
}

function valuesIn(contact: StoredContact, field: string): readonly Value[] {
  if (field === 'tags') return contact.tags;
  if (field === attributeNames) return Object.keys(contact.attributes);
  const isAttribute = field.startsWith(attributePrefix);
  const value = isAttribute
    ? contact.attributes[field.slice(attributePrefix.length)]
    : contact[field as (typeof textFields)[number]];
  return value == null ? [] : [value];
}

function isBegun(text: string, beginning: string): boolean {
  const folded = foldedText(text);
  return folded.startsWith(beginning) || folded.includes(` ${beginning}`);
}

import { chatbotIdSchema, requireChatbot } from '../chatbots/chatbot.ts';
import { read } from '../operation.ts';
import { invalid } from '../validation.ts';
import { storablePattern } from '../values/field.ts';
import { giveWay } from '../values/give-way.ts';
import { object } from '../values/object-schema.ts';
import { decimalText } from '../values/text.ts';
import { amongOrStaying } from './change/aliases.ts';
import { contactDetails, contactIdSchema, exampleContact, type StoredContact } from './contact.ts';
import { externalIdMax } from './properties.ts';
import { contactSchema, includeSchema, viewOf } from './view.ts';

const kinds = ['email', 'phone', 'external_id', 'ids'] as const;
const idsMax = 100;
const idsOfRequest = 25;

const text = (description: string, maxLength: number) =>
  ({ type: 'string', maxLength, pattern: storablePattern, description }) as const;

export const lookUpContacts = read({
  name: 'lookUpContacts',
  scope: 'contacts:read',
  cost: ({ ids }) => (Array.isArray(ids) ? Math.ceil(ids.length / idsOfRequest) : 1),
  document: {
    tag: 'Contacts',
    summary: 'Look up contacts',
    description:
      'Finds all contacts with exactly this e-mail (in any letter case), phone (by its digits) or external id, newest first; or those with these ids, in the order given, without the missing ones. Give one of the four. Every 25 ids count as one request. It is a POST, so that no log keeps an address.',
    answer: 'The contacts; none is an empty list.',
  },
  input: object(
    { chatbotId: chatbotIdSchema },
    {
      optional: {
        email: { ...text('An e-mail address.', contactDetails.email.lengthMax), examples: ['ana@example.com'] },
        phone: { ...text('A telephone number.', contactDetails.phone.lengthMax), type: ['string', 'number'] },
        external_id: text('An id in a system of the caller.', externalIdMax),
        ids: {
          type: 'array',
          items: contactIdSchema,
          minItems: 1,
          maxItems: idsMax,
          description: `Ids of contacts, at most ${idsMax}.`,
        },
        include: includeSchema,
      },
    },
  ),
  check: (input) => {
    const [one, other] = kinds.filter((kind) => input[kind] !== undefined);
    if (one === undefined) {
      throw invalid([{ field: 'email', code: 'required', message: 'is required, or phone, external_id or ids' }]);
    }
    if (other !== undefined) {
      throw invalid([{ field: other, code: 'not_allowed', message: `cannot be given with ${one}` }]);
    }
  },
  output: object({ contacts: { type: 'array', items: contactSchema, maxItems: 1_000_000 } }),
  errors: ['not_found'],
  example: { contacts: [{ ...exampleContact }] as Record<string, unknown>[] },
  run: async ({ chatbots, contacts }, { projectId }, { chatbotId, include, ids, ...given }) => {
    await requireChatbot(chatbots, projectId, chatbotId);
    const show = async (found: readonly StoredContact[]) => {
      const shown: ReturnType<typeof viewOf>[] = [];
      for (const contact of found) {
        await giveWay();
        shown.push(viewOf(contact, include));
      }
      return { contacts: shown };
    };
    if (ids) {
      const found = await amongOrStaying(contacts, { projectId, chatbotId }, ids);
      // Whoever stays comes once for all whose ids lead there.
      const shown = new Set(ids);
      const people: StoredContact[] = [];
      for (const id of ids) {
        const contact = found.get(id);
        if (!contact || (contact.id !== id && shown.has(contact.id))) continue;
        shown.add(contact.id);
        people.push(contact);
      }
      return show(people);
    }
    const kind = (['email', 'phone', 'external_id'] as const).find((one) => given[one] !== undefined) ?? 'email';
    const value = given[kind] ?? '';
    const text = typeof value === 'number' ? (decimalText(value) ?? '') : value;
    return show(await contacts.lookup(projectId, chatbotId, kind, text));
  },
});

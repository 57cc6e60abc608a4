import { chatbotIdSchema, requireChatbot } from '../chatbots/chatbot.ts';
import { read } from '../operation.ts';
import { invalid } from '../validation.ts';
import { storablePattern } from '../values/field.ts';
import { contactDetails, exampleContact } from './contact.ts';
import { externalIdMax } from './properties.ts';
import { contactSchema, type Include, includeSchema, viewOf } from './view.ts';

const kinds = ['email', 'phone', 'external_id'] as const;

export interface ContactLookup extends Partial<Record<(typeof kinds)[number], string>> {
  chatbotId: string;
  include?: readonly Include[];
}

const text = (description: string, maxLength: number) =>
  ({ type: 'string', maxLength, pattern: storablePattern, description }) as const;

export const lookUpContacts = read({
  name: 'lookUpContacts',
  scope: 'contacts:read',
  document: {
    tag: 'Contacts',
    summary: 'Look up contacts',
    description:
      'All contacts that have exactly this e-mail (in any letter case), phone (by its digits) or external id, newest first. Give one of the three. It is a POST, so that no log keeps an address.',
    answer: 'The contacts; none is an empty list.',
  },
  input: {
    type: 'object',
    additionalProperties: false,
    required: ['chatbotId'],
    properties: {
      chatbotId: chatbotIdSchema,
      email: { ...text('An e-mail address.', contactDetails.email.lengthMax), examples: ['ana@example.com'] },
      phone: text('A telephone number.', contactDetails.phone.lengthMax),
      external_id: text('An id in a system of the caller.', externalIdMax),
      include: includeSchema,
    },
  },
  check: (input: ContactLookup) => {
    const [one, other] = kinds.filter((kind) => input[kind] !== undefined);
    if (one === undefined) {
      throw invalid([{ field: 'email', code: 'required', message: 'or phone or external_id is required' }]);
    }
    if (other !== undefined) {
      throw invalid([{ field: other, code: 'not_allowed', message: `cannot be given with ${one}` }]);
    }
  },
  output: {
    type: 'object',
    additionalProperties: false,
    required: ['contacts'],
    properties: { contacts: { type: 'array', items: contactSchema, maxItems: 1_000_000 } },
  },
  errors: ['not_found'],
  example: { contacts: [{ ...exampleContact }] as Record<string, unknown>[] },
  run: async ({ chatbots, contacts }, { projectId }, { chatbotId, include, ...given }: ContactLookup) => {
    await requireChatbot(chatbots, projectId, chatbotId);
    const kind = kinds.find((one) => given[one] !== undefined) ?? 'email';
    const found = await contacts.lookup(projectId, chatbotId, kind, given[kind] ?? '');
    return { contacts: found.map((contact) => viewOf(contact, include)) };
  },
});

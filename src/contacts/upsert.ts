import { chatbotIdSchema } from '../chatbots/chatbot.ts';
import { requireChatbot } from '../chatbots/require.ts';
import { write } from '../operation.ts';
import { revised } from '../revision.ts';
import { object } from '../values/object-schema.ts';
import { changeContact } from './change/change.ts';
import { find } from './change/match.ts';
import { changeOf } from './change/set.ts';
import { openWorkingSet } from './change/working-set.ts';
import { type GivenProperties, type Match, matchSchema, propertiesSchema } from './properties.ts';
import { contactSchema, exampleView, type Include, includeSchema, type View, viewOf } from './view.ts';

interface Upsert {
  chatbotId: string;
  match: Match;
  properties?: GivenProperties;
  include?: readonly Include[];
}

export interface Upserted {
  outcome: 'created' | 'updated' | 'unchanged';
  changed: string[];
  /** Null in the answer to a repeat, where the contact is gone. */
  contact: View | null;
}

type Kept = Omit<Upserted, 'contact'> & { id: string };

export const upsertContact = write({
  name: 'upsertContact',
  scope: 'contacts:write',
  queue: 'chatbot',
  document: {
    tag: 'Contacts',
    summary: 'Create or change a contact',
    description:
      'Changes the contact that has this id, e-mail (in any letter case) or external id; where nobody has the e-mail or the external id, creates one with it. However many ask at once, one contact is made. 409 `ambiguous_match` where several have the e-mail.',
    answer: 'The outcome, the names of the changed fields, and the contact. 201 if it was created.',
  },
  input: object(
    { chatbotId: chatbotIdSchema, match: { ...matchSchema, examples: [{ email: 'ana@example.com' }] } },
    {
      optional: {
        properties: { ...propertiesSchema, examples: [{ company_name: 'Example Ltd' }] },
        include: includeSchema,
      },
    },
  ),
  check: ({ match, properties }: Upsert) => void changeOf('upsert', match, properties),
  output: object({
    outcome: { type: 'string', enum: ['created', 'updated', 'unchanged'], description: 'The outcome.' },
    changed: {
      type: 'array',
      items: { type: 'string', maxLength: 64, pattern: '^[a-z_]+$' },
      maxItems: 32,
      description: 'The names of the keys whose values changed; empty when it was created.',
    },
    contact: { anyOf: [contactSchema, { type: 'null' }], description: 'Null in a repeat, where it is gone.' },
  }),
  errors: ['not_found', 'conflict', 'contacts_exhausted', 'ambiguous_match', 'precondition_failed'],
  example: { outcome: 'updated', changed: ['company'], contact: exampleView },
  repeat: {
    keep: ({ contact, ...kept }: Upserted): Kept => ({ ...kept, id: String(contact?.['id']) }),
    render: async ({ contacts }, { projectId }, { id, ...kept }: Kept, { chatbotId, include }) => {
      const contact = await contacts.findWhole(projectId, chatbotId, id);
      if (!contact) return { ...kept, contact: null };
      return revised({ ...kept, contact: viewOf(contact, include) }, contact);
    },
  },
  current: async ({ chatbots, contacts }, { projectId }, { chatbotId, match }: Upsert) => {
    await requireChatbot(chatbots, projectId, chatbotId);
    const change = changeOf('upsert', match);
    return find(await openWorkingSet(contacts, { projectId, chatbotId }, [change]), change)?.contact.revision;
  },
  run: async ({ chatbots, contacts }, { projectId }, { chatbotId, match, properties, include }: Upsert) => {
    await requireChatbot(chatbots, projectId, chatbotId);
    const change = changeOf('upsert', match, properties);
    const { outcome, changed, after, changes } = await changeContact(contacts, { projectId, chatbotId }, change);
    return { output: revised({ outcome, changed, contact: viewOf(after, include) } as Upserted, after), changes };
  },
});

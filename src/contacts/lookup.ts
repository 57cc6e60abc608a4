import { chatbotIdSchema } from '../chatbots/chatbot.ts';
import { requireChatbot } from '../chatbots/require.ts';
import { read } from '../operation.ts';
import type { Reads } from '../store.ts';
import { invalid } from '../validation.ts';
import type { Abortable } from '../values/abortable.ts';
import { storablePattern } from '../values/field.ts';
import { eachInTurn } from '../values/give-way.ts';
import { object, type Partly } from '../values/object-schema.ts';
import { decimalText } from '../values/text.ts';
import { contactDetails, contactIdSchema, type OwnedContact } from './contact.ts';
import { contactInProjectSchema, exampleInProject, viewInProject } from './in-project.ts';
import { externalIdMax } from './properties.ts';
import { refKey } from './store.ts';
import { contactSchema, exampleView, includeSchema, viewOf } from './view.ts';

const valueKinds = ['email', 'phone', 'external_id'] as const;
const idsMax = 100;
const idsOfRequest = 25;

const text = (description: string, maxLength: number) =>
  ({ type: 'string', maxLength, pattern: storablePattern, description }) as const;

export const valueProperties = {
  email: { ...text('An e-mail address.', contactDetails.email.lengthMax), examples: ['ana@example.com'] },
  phone: { ...text('A telephone number.', contactDetails.phone.lengthMax), type: ['string', 'number'] },
  external_id: text('An id in a system of the caller.', externalIdMax),
} as const;

export function valueOf(given: Partly<typeof valueProperties>) {
  const kind = valueKinds.find((one) => given[one] !== undefined);
  if (kind === undefined) return undefined;
  const value = given[kind] ?? '';
  return { kind, value: typeof value === 'number' ? (decimalText(value) ?? '') : value };
}

/** Throws `invalid` unless a person is named in exactly one way: by a value, or by `list`. */
export function requireOneOf(given: object, list: string): void {
  const [one, other] = [...valueKinds, list].filter((kind) => (given as Record<string, unknown>)[kind] !== undefined);
  if (one === undefined) {
    throw invalid([{ field: 'email', code: 'required', message: `is required, or phone, external_id or ${list}` }]);
  }
  if (other !== undefined) {
    throw invalid([{ field: other, code: 'not_allowed', message: `cannot be given with ${one}` }]);
  }
}

const taken = {
  ...valueProperties,
  ids: {
    type: 'array',
    items: contactIdSchema,
    minItems: 1,
    maxItems: idsMax,
    description: `Ids of contacts, at most ${idsMax}.`,
  },
  include: includeSchema,
} as const;

type LookUp = Partly<typeof taken>;

const shared = {
  scope: 'contacts:read',
  cost: ({ ids }: LookUp) => (Array.isArray(ids) ? Math.ceil(ids.length / idsOfRequest) : 1),
  check: (input: LookUp) => requireOneOf(input, 'ids'),
} as const;
const answer = 'The contacts; none is an empty list.';
const whom =
  'with exactly this e-mail (in any letter case), phone (by its digits) or external id, newest first; or those with these ids, in the order given, without the missing ones. Give one of the four. Every 25 ids count as one request. It is a POST, so that no log keeps an address.';

export const lookUpContacts = read({
  name: 'lookUpContacts',
  ...shared,
  document: { tag: 'Contacts', summary: 'Look up contacts', description: `Finds all contacts ${whom}`, answer },
  input: object({ chatbotId: chatbotIdSchema }, { optional: taken }),
  output: object({ contacts: { type: 'array', items: contactSchema, maxItems: 1_000_000 } }),
  errors: ['not_found'],
  example: { contacts: [exampleView] },
  run: async ({ chatbots, contacts }, { projectId }, { chatbotId, ...input }, caller) => {
    await requireChatbot(chatbots, projectId, chatbotId);
    const found = await find(contacts, projectId, chatbotId, input, caller);
    return { contacts: await eachInTurn(found, (one) => viewOf(one, input.include)) };
  },
});

export const lookUpAllContacts = read({
  name: 'lookUpAllContacts',
  ...shared,
  document: {
    tag: 'Contacts',
    summary: 'Look up contacts of all chatbots',
    description: `Finds all contacts of the project ${whom} An id is unique in its chatbot only, so it may find several.`,
    answer,
  },
  input: object({}, { optional: taken }),
  output: object({ contacts: { type: 'array', items: contactInProjectSchema, maxItems: 1_000_000 } }),
  example: { contacts: [exampleInProject] },
  run: async ({ contacts }, { projectId }, input, caller) => {
    const found = await find(contacts, projectId, undefined, input, caller);
    return { contacts: await eachInTurn(found, (one) => viewInProject(one, input.include)) };
  },
});

async function find(
  contacts: Reads['contacts'],
  projectId: string,
  chatbotId: string | undefined,
  { ids = [], ...given }: LookUp,
  caller: Abortable,
): Promise<OwnedContact[]> {
  const sought = valueOf(given);
  if (sought) return contacts.lookup(projectId, chatbotId, sought.kind, sought.value, caller);
  const found = await contacts.resolve(projectId, chatbotId, ids);
  const byId = Map.groupBy(
    found.toSorted((a, b) => (a.contact.chatbot_id < b.contact.chatbot_id ? -1 : 1)),
    ({ id }) => id,
  );
  // A contact that stays is shown once for all ids that lead to it.
  const shown = new Set(found.flatMap(({ id, contact }) => (contact.id === id ? refKey(contact) : [])));
  const isNew = (place: string) => !shown.has(place) && shown.add(place);
  return ids
    .flatMap((id) => byId.get(id) ?? [])
    .flatMap(({ id, contact }) => (contact.id === id || isNew(refKey(contact)) ? contact : []));
}

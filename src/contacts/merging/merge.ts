import type { Actor } from '../../actor.ts';
import { chatbotIdSchema, requireChatbot } from '../../chatbots/chatbot.ts';
import { type Change, changed, unchanged } from '../../events/event.ts';
import { write } from '../../operation.ts';
import { type Revised, revised } from '../../revision.ts';
import type { UnitOfWork } from '../../store.ts';
import { invalid } from '../../validation.ts';
import { newId } from '../../values/identifier.ts';
import { object } from '../../values/object-schema.ts';
import { addSeconds, day, formatTimestamp, type Timestamp, timestampSchema } from '../../values/timestamp.ts';
import { wasMerged } from '../change/aliases.ts';
import { differences } from '../change/given.ts';
import { requireContact } from '../change/working-set.ts';
import { contactIdSchema, exampleContact, type StoredContact, touched } from '../contact.ts';
import type { ContactReads } from '../store.ts';
import { contactSchema, type Include, includeSchema, viewOf } from '../view.ts';
import { wrongField, type Lost, planMerge, type Taken } from './plan.ts';
import type { StoredMerge } from './store.ts';

interface Merge {
  chatbotId: string;
  contactId: string;
  from: readonly string[];
  keep?: Readonly<Taken>;
  dry_run?: boolean;
  include?: readonly Include[];
}

export interface Merged {
  /** Null in a dry run. */
  merge_id: string | null;
  undo_until: Timestamp | null;
  /** Null in a repeat if the contact is gone. */
  contact: Record<string, unknown> | null;
  taken: Taken;
  lost: Lost[];
}

const sourcesMax = 20;
const fieldName = { type: 'string', maxLength: 64, pattern: '^[a-z][a-z0-9_.]*$' } as const;
const fieldNames = { ...fieldName, description: 'must have the name of a field as its name' };
const byField = {
  type: 'object',
  maxProperties: 100,
  propertyNames: fieldNames,
  additionalProperties: contactIdSchema,
};
const dryRun = 'Only tell what a merge would do, and store nothing; `merge_id` is then null.';

export const mergeIdSchema = { ...contactIdSchema, description: 'The id of the merge; an undo needs it.' };

export const mergeContacts = write({
  name: 'mergeContacts',
  scope: 'contacts:write',
  queue: 'chatbot',
  document: {
    tag: 'Contacts',
    summary: 'Merge contacts',
    description:
      'Merges contacts into this one. Its values win, and the oldest of them fills what it lacks; `keep` names the contact whose value of a field stays (`name` with its parts is one field). Tags are joined, and missing attributes filled. `GET` of a merged contact is 410 `merged`; its id, e-mail and external id lead to this one. A repeated merge answers as the first did.',
    answer: 'The contact, where each field that it took came from, and the values that are lost.',
  },
  input: object(
    {
      chatbotId: chatbotIdSchema,
      contactId: contactIdSchema,
      from: {
        type: 'array',
        items: contactIdSchema,
        minItems: 1,
        maxItems: sourcesMax,
        uniqueItems: true,
        description: 'Ids of the contacts to merge into this one.',
        examples: [['019aaaaa-0000-7000-8000-000000000000']],
      },
    },
    {
      optional: {
        keep: { ...byField, description: 'For a field, the id of the contact whose value stays.' },
        dry_run: { type: 'boolean', default: false, description: dryRun, examples: [false] },
        include: includeSchema,
      },
    },
  ),
  check: ({ contactId, from, keep = {} }: Merge) => {
    if (from.includes(contactId)) {
      throw invalid([{ field: 'from', code: 'not_allowed', message: 'must not name the contact that stays' }]);
    }
    const errors = Object.entries(keep).flatMap(([name, id]) => {
      const field = `keep.${name}`;
      const message = wrongField(name);
      if (message !== undefined) return { field, code: 'unknown' as const, message };
      if (id === contactId || from.includes(id)) return [];
      return {
        field,
        code: 'not_allowed' as const,
        message: 'must be the id of the contact that stays, or of one that is merged into it',
      };
    });
    if (errors.length > 0) throw invalid(errors);
  },
  output: object({
    merge_id: { ...mergeIdSchema, type: ['string', 'null'] },
    undo_until: {
      ...timestampSchema,
      type: ['string', 'null'],
      description: 'Until when the merge can be undone; null where there is no bin.',
    },
    contact: { anyOf: [contactSchema, { type: 'null' }], description: 'Null in a repeat if the contact is gone.' },
    taken: { ...byField, description: 'For each field that was taken, the id of the contact that had the value.' },
    lost: {
      type: 'array',
      maxItems: 2_000,
      description: 'Values that the merge hides.',
      items: object({
        field: { ...fieldName, description: 'The field.' },
        contact_id: { ...contactIdSchema, description: 'The contact that had the value.' },
      }),
    },
  }),
  errors: ['not_found', 'merged', 'precondition_failed'],
  example: {
    merge_id: '019aaaaa-0000-7000-8000-000000000001',
    undo_until: '2026-07-08T13:38:33+00:00',
    contact: { ...exampleContact },
    taken: { phone: '019aaaaa-0000-7000-8000-000000000000' },
    lost: [{ field: 'email', contact_id: '019aaaaa-0000-7000-8000-000000000000' }],
  },
  repeat: {
    keep: ({ merge_id, undo_until, taken, lost }: Merged): Told => ({ merge_id, undo_until, taken, lost }),
    render: ({ contacts }, { projectId }, kept: Told, input) => withContact(contacts, projectId, kept, input),
  },
  current: async (unit, { projectId }, input: Merge) => {
    const { target, earlier } = await partsOf(unit, projectId, input);
    return earlier ? null : target.revision;
  },
  run: async (unit: UnitOfWork, { projectId }: Actor, input: Merge) => {
    const { contacts } = unit;
    const { chatbotId, contactId, keep = {}, dry_run: isDry, include } = input;
    const { request, target, earlier, sources } = await partsOf(unit, projectId, input);
    if (earlier) return unchanged(await answerOf(contacts, projectId, earlier, input));
    const { after, taken, lost, former } = planMerge(target, sources, keep);
    const now = new Date();
    const at = formatTimestamp(now);
    const stays = differences(target, after).length === 0 ? target : touched(after, at);
    const binDays = await contacts.binDays();
    const answer = { undo_until: undoUntil(at, binDays), contact: viewOf(stays, include), taken, lost };
    if (isDry === true) return unchanged(revised<Merged>({ merge_id: null, ...answer }, target));
    const [id, result] = [newId(), JSON.stringify({ taken, lost })];
    const merge = { id, contact_id: contactId, merged_at: at, request, result };
    const undone = binDays === 0 ? null : JSON.stringify(former);
    await contacts.merge(projectId, chatbotId, { ...merge, former: undone }, sources);
    if (stays !== target) await contacts.save(projectId, chatbotId, [{ before: target, after: stays }]);
    const ids = sources.map((one) => one.id);
    const event: Change = { type: 'contact.merged', chatbot_id: chatbotId, contact_id: contactId, contact_ids: ids };
    return changed(revised<Merged>({ merge_id: id, ...answer }, stays), event);
  },
});

/** The contacts of a merge, or the merge that did the same before. Throws `not_found` and `merged`. */
async function partsOf({ chatbots, contacts }: UnitOfWork, projectId: string, input: Merge) {
  const { chatbotId, contactId, from, keep = {} } = input;
  await requireChatbot(chatbots, projectId, chatbotId);
  const owner = { projectId, chatbotId };
  const target = await requireContact(contacts, owner, contactId);
  const request = JSON.stringify([from.toSorted(), Object.entries(keep).toSorted(([a], [b]) => (a < b ? -1 : 1))]);
  const earlier = await findEarlier(contacts, projectId, input, request);
  const sources: StoredContact[] = [];
  for (const id of earlier ? [] : from) sources.push(await requireContact(contacts, owner, id));
  return { request, target, earlier, sources };
}

/** The earlier merge of the same request. Throws `merged` if a source was merged in another way. */
async function findEarlier(
  contacts: ContactReads,
  projectId: string,
  { chatbotId, contactId, from }: Merge,
  request: string,
): Promise<StoredMerge | undefined> {
  const [one] = await contacts.mergedAmong(projectId, chatbotId, from);
  if (!one) return undefined;
  const merge = await contacts.findMerge(projectId, chatbotId, one.merge_id);
  if (merge?.contact_id === contactId && merge.request === request) return merge;
  throw wasMerged(chatbotId, one.merged_into);
}

async function answerOf(
  contacts: ContactReads,
  projectId: string,
  { id, merged_at: at, result }: StoredMerge,
  input: Merge,
) {
  const told = JSON.parse(result) as Pick<Merged, 'taken' | 'lost'>;
  const undo_until = undoUntil(at, await contacts.binDays());
  return withContact(contacts, projectId, { merge_id: input.dry_run === true ? null : id, undo_until, ...told }, input);
}

type Told = Omit<Merged, 'contact'>;

async function withContact(
  contacts: ContactReads,
  projectId: string,
  { merge_id, undo_until, taken, lost }: Told,
  { chatbotId, contactId, include }: Merge,
): Promise<Merged | Revised<Merged>> {
  const contact = await contacts.findWhole(projectId, chatbotId, contactId);
  const answer = { merge_id, undo_until, contact: contact ? viewOf(contact, include) : null, taken, lost };
  return contact ? revised<Merged>(answer, contact) : answer;
}

/** Null where there is no bin. */
export function undoUntil(at: Timestamp, binDays: number): Timestamp | null {
  return binDays === 0 ? null : formatTimestamp(addSeconds(new Date(at), binDays * day));
}

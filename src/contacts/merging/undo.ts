import { chatbotIdSchema } from '../../chatbots/chatbot.ts';
import { requireChatbot } from '../../chatbots/require.ts';
import { AppError } from '../../errors.ts';
import { changed, unchanged, type Written } from '../../events/event.ts';
import { write } from '../../operation.ts';
import type { UnitOfWork } from '../../store.ts';
import { object } from '../../values/object-schema.ts';
import { formatTimestamp, type Timestamp } from '../../values/timestamp.ts';
import { Aliases } from '../change/aliases.ts';
import { differences } from '../change/given.ts';
import { keysOf } from '../change/keys.ts';
import { conflict, contactsExhausted } from '../change/plan.ts';
import { WorkingSet } from '../change/working-set.ts';
import { type StoredContact, touched } from '../contact.ts';
import type { ChatbotRef, SavedContact } from '../store.ts';
import { contactSchema, exampleView, includeSchema, viewOf } from '../view.ts';
import { fieldName, mergeIdSchema, undoUntil } from './merge.ts';
import { type Former, planUndo, type TakenFields } from './plan.ts';
import { sourcesIn } from './store.ts';

export const undoMerge = write({
  name: 'undoMerge',
  scope: 'contacts:write',
  queue: 'chatbot',
  document: {
    tag: 'Contacts',
    summary: 'Undo a merge',
    description:
      'Brings the merged contacts back as they were, for as long as deleted ones are kept in the bin. Fields that the merge filled go back too, unless somebody has changed them since. 409 if the contact that stayed was merged, deleted or purged, or if another contact has an `external_id` of theirs; 404 if the merge is undone already, or too old.',
    answer: 'The contact that stayed, those that are back, and the fields that it keeps.',
  },
  input: object({ chatbotId: chatbotIdSchema, mergeId: mergeIdSchema }, { optional: { include: includeSchema } }),
  output: object({
    contacts: { type: 'array', items: contactSchema, maxItems: 21, description: 'The one that stayed comes first.' },
    kept: {
      type: 'array',
      items: fieldName,
      maxItems: 100,
      description: 'Fields that were changed since, and so did not go back.',
    },
  }),
  errors: ['not_found', 'conflict', 'contacts_exhausted'],
  example: { contacts: [exampleView], kept: ['phone'] },
  repeat: {
    keep: ({ contacts, kept }) => ({ ids: contacts.map(({ id }) => String(id)), kept }),
    render: async ({ contacts }, { projectId }, { ids, kept }: { ids: string[]; kept: string[] }, input) => {
      const found = await contacts.among(projectId, input.chatbotId, ids);
      const shown = ids.flatMap((id) => found.find((one) => one.id === id) ?? []);
      return { contacts: shown.map((one) => viewOf(one, input.include)), kept };
    },
  },
  run: async (unit, { projectId }, { chatbotId, mergeId, include }) => {
    const { contacts } = unit;
    await requireChatbot(unit.chatbots, projectId, chatbotId);
    const now = formatTimestamp(new Date());
    const owner = { projectId, chatbotId };
    const { merge, former, target, sources } = await partsOf(contacts, owner, mergeId, now);
    const { taken } = JSON.parse(merge.result) as { taken: TakenFields };
    const { after, kept } = planUndo(target, sources, taken, JSON.parse(former) as Former);
    const back = sources.map((one) => touched(one, now));
    const stays = differences(target, after).length === 0 ? target : touched(after, now);
    await requireFree(contacts, owner, { before: target, after: stays }, back);
    if ((await contacts.room(projectId, chatbotId)) < back.length) throw contactsExhausted();
    if (stays !== target) await contacts.save(projectId, chatbotId, [{ before: target, after: stays }]);
    await contacts.unmerge(projectId, chatbotId, merge, back);
    const output = { contacts: [stays, ...back].map((one) => viewOf(one, include)), kept };
    const ids = back.map(({ id }) => id);
    const about = { chatbot_id: chatbotId, contact_id: target.id, contact_ids: ids };
    return changed(output, { type: 'contact.unmerged', ...about });
  },
});

/** A merge that can be undone, with its contacts as they are. Throws `not_found`, and `conflict` if none stays. */
async function partsOf(
  contacts: UnitOfWork['contacts'],
  { projectId, chatbotId }: ChatbotRef,
  mergeId: string,
  now: Timestamp,
) {
  const noMerge = new AppError('not_found', 'There is no merge with this id that can be undone', { about: 'merge' });
  const merge = await contacts.findMerge(projectId, chatbotId, mergeId);
  const until = merge && undoUntil(merge.merged_at, await contacts.binDays());
  if (!merge || until == null || until < now) throw noMerge;
  const { contact_id: contactId, former } = merge;
  const [target] = await contacts.among(projectId, chatbotId, [contactId]);
  if (!target) {
    const message = 'The contact that stayed was merged, deleted or purged; restore it first, or undo that merge';
    throw new AppError('conflict', message, { existing: [contactId] });
  }
  if (former === null) throw noMerge;
  const from = sourcesIn(merge.request);
  const merged = await contacts.mergedAmong(projectId, chatbotId, from);
  const sources = merged.filter((one) => one.merge_id === mergeId);
  return { merge, former, target, sources: sources.toSorted((a, b) => from.indexOf(a.id) - from.indexOf(b.id)) };
}

/** Throws `conflict` if another contact has an id or an external id that would come back. */
async function requireFree(
  contacts: UnitOfWork['contacts'],
  { projectId, chatbotId }: ChatbotRef,
  target: SavedContact,
  back: readonly StoredContact[],
): Promise<void> {
  const set = new WorkingSet(new Aliases(chatbotId), () => contacts.room(projectId, chatbotId));
  const keys = [target.after, ...back].flatMap(keysOf).filter((key) => /^(?:id|external_id):/.test(key));
  for (const [key, people] of await contacts.findForWriting(projectId, chatbotId, keys)) set.load(key, people);
  set.note(target.after);
  const refusals = [conflict(set, target.after, target.before), ...back.map((one) => conflict(set, one))];
  const refusal = refusals.find((one) => one !== undefined);
  if (refusal) throw new AppError('conflict', refusal.message, { about: 'merge', existing: refusal.existing ?? [] });
}

export const forgetMerges = write({
  name: 'forgetMerges',
  scope: null,
  queue: 'chatbot',
  run: async (
    { contacts },
    { projectId },
    { chatbotId, before, limit }: { chatbotId: string; before: Timestamp; limit: number },
  ): Promise<Written<number>> => unchanged(await contacts.forgetMerged(projectId, chatbotId, before, limit)),
});

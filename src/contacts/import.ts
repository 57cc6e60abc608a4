import type { AppError } from '../errors.ts';
import type { Written } from '../events/event.ts';
import {
  type Batch,
  beyondLimit,
  type Imported,
  judge,
  type Meeting,
  openSeen,
  type Outcome,
  type Warning,
} from '../imports.ts';
import { write } from '../operation.ts';
import type { UnitOfWork } from '../store.ts';
import { giveWay } from '../values/give-way.ts';
import { formatTimestamp } from '../values/timestamp.ts';
import { type Done, eventsOf } from './change/change.ts';
import { type Change, isKnown } from './change/given.ts';
import { accept, type Proposal, propose, proposeWithin } from './change/plan.ts';
import { openWorkingSet, store, type WorkingSet } from './change/working-set.ts';
import { contactDetails, type StoredContact, touched } from './contact.ts';
import { type Draft, hasNothing } from './draft.ts';
import { likeOthers } from './duplicates/pairs.ts';
import { changeOfRow } from './import-keys.ts';
import type { ImportWalk } from './import-walk.ts';
import { attributesBytesMax, attributesMax } from './properties.ts';
import type { ChatbotRef } from './store.ts';

export const looksKnown = 'is new, but looks like somebody who is there already: see the suggestions of duplicates';

export interface ContactBatch extends Batch<Draft, StoredContact> {
  chatbotId: string;
  walk?: ImportWalk | undefined;
}

/** Imports a batch: one transaction, and one event for each kind of change in it. */
export const importContacts = write({
  name: 'importContacts',
  scope: 'contacts:write',
  queue: 'chatbot',
  run: async (unit, { projectId }, batch: ContactBatch): Promise<Written<Imported<StoredContact>>> => {
    const { imported, changes } = await importRows(unit, { projectId, chatbotId: batch.chatbotId }, batch);
    if (batch.walk) await unit.importWalks.save(projectId, batch.chatbotId, batch.walk);
    return { output: imported, changes };
  },
});

export async function importRows(
  { contacts, duplicates }: Pick<UnitOfWork, 'contacts' | 'duplicates'>,
  owner: ChatbotRef,
  batch: Batch<Draft, StoredContact>,
) {
  const { rows, mode, isDry, earlier, planned } = batch;
  const changes = rows.map((row) => changeOfRow(row, mode));
  const set = await openWorkingSet(contacts, owner, changes);
  set.added = batch.created;
  for (const person of planned) set.note(person);
  const seen = openSeen(earlier);
  const at = formatTimestamp(new Date());
  const atSource = new Map(
    mode === 'mirror' ? changes.map(({ ifNew, given }) => [ifNew?.id, given.texts.external_id]) : [],
  );
  const freed = new Set<string>();
  const done: Done[] = [];
  const outcomes: Outcome[] = [];
  const warnings: Warning[] = [];
  const ids: (string | undefined)[] = [];
  for (const [index, row] of rows.entries()) {
    await giveWay();
    const change = changes[index];
    if (!change) break;
    const holder = formerHolder(set, change, atSource);
    if (holder) {
      set.put(touched({ ...holder, external_id: null }, at));
      done.push(['updated', holder.id, ['external_id']]);
      freed.add(holder.id);
    }
    const proposal = batch.isUnlimited === true ? propose(set, change, at) : await proposeWithin(set, change, at);
    // A row that leads to the one that stays says nothing about it, so a later row does not contradict it.
    const isByAlias = proposal.isAlias === true && proposal.outcome === 'unchanged';
    const judged = isByAlias ? 'unchanged' : judge(row, meetingOf(proposal), batch, seen);
    const outcome = judged === 'unchanged' && freed.has(proposal.after.id) ? 'updated' : judged;
    if (judged === 'created' || judged === 'updated') {
      accept(set, proposal);
      done.push([proposal.outcome, proposal.after.id, proposal.differing]);
    } else if (judged === 'unchanged') keepDigest(set, proposal);
    outcomes.push(outcome);
    ids.push(proposal.before || outcome === 'created' ? proposal.after.id : undefined);
    for (const warning of warningsAbout(proposal, outcome)) warnings.push({ line: row.line, warning });
  }
  const added = ids.flatMap((id = '', index) => (outcomes[index] === 'created' ? (set.get(id) ?? []) : []));
  const alike = await likeOthers(duplicates, owner.projectId, owner.chatbotId, added);
  for (const [index, { line }] of rows.entries()) {
    if (alike.has(ids[index] ?? '') && outcomes[index] === 'created') warnings.push({ line, warning: looksKnown });
  }
  if (!isDry) await store(contacts, owner, set);
  const imported = { outcomes, warnings, met: seen.met(), planned: isDry ? set.changed() : [] };
  return { imported, ids, set, changes: isDry ? [] : eventsOf(owner.chatbotId, done) };
}

/** The contact that holds a change's external id here, although another row of the batch gives it a different one. */
function formerHolder(
  set: WorkingSet,
  { ifNew, given: { texts } }: Change,
  atSource: ReadonlyMap<string | undefined, string | null | undefined>,
): StoredContact | undefined {
  const { external_id: wanted } = texts;
  const [id] = wanted == null ? [] : set.idsAt(`external_id:${wanted}`);
  // The row's contact was merged into this one, which has its external id.
  if (id !== undefined && set.aliases.targetsOf(`id:${ifNew?.id}`).includes(id)) return undefined;
  const theirs = atSource.get(id);
  return id === undefined || id === ifNew?.id || theirs === undefined || theirs === wanted ? undefined : set.get(id);
}

function meetingOf({ before, after, differing, refusal }: Proposal): Meeting {
  return {
    id: after.id,
    isNew: before === undefined,
    differing,
    contradicted: before ? differing.filter((name) => isKnown(before, name)) : [],
    refused: refusal && worded(refusal),
  };
}

/** A row that is equal but for its digest stores that alone: without an event, and the revision stays. */
function keepDigest(set: WorkingSet, { before, after }: Proposal): void {
  if (!before || before.import_digest === after.import_digest) return;
  set.put({ ...before, import_digest: after.import_digest });
}

function warningsAbout({ before, after, key, isOneOfSeveral }: Proposal, outcome: Outcome): string[] {
  const warnings: string[] = [];
  if (isOneOfSeveral === true && outcome !== 'duplicate') {
    warnings.push('several stored people fit; the one that was stored first was taken');
  }
  if (before && outcome === 'updated' && key?.startsWith('email:') === true && !shareAWord(before.name, after.name)) {
    warnings.push('an e-mail that was known has come with another name');
  }
  return warnings;
}

/** Two names that share no word are of different people; a missing name is no evidence. */
function shareAWord(one: string | null, other: string | null): boolean {
  if (one === null || other === null || one === other) return true;
  const words = wordsIn(one);
  return wordsIn(other).some((word) => words.includes(word));
}

function wordsIn(name: string): string[] {
  return name.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
}

function worded({ code, errors = [] }: AppError): string {
  if (code === 'contacts_exhausted') return beyondLimit;
  if (code === 'conflict') return 'external_id is that of another contact';
  const named = errors.map(
    ({ field, code: one, message }) => words[`${field} ${one}`] ?? `${field.replace(/^properties\./, '')} ${message}`,
  );
  return named.join('; ');
}

const words: Partial<Record<string, string>> = {
  'properties required': hasNothing,
  'properties.name too_long': `name is longer than ${contactDetails.name.lengthMax} characters`,
  'properties.attributes too_many': `attributes would be more than ${attributesMax}`,
  'properties.attributes too_large': `attributes would have more than ${attributesBytesMax} bytes`,
};

import type { Change, Performed } from './chatbot-model.ts';
import type { Operation } from './operations.ts';
import type { Given, People } from './people.ts';
import { learnTime, type Moment, viewOf } from './person.ts';

type Of<Kind extends Operation['kind']> = Extract<Operation, { kind: Kind }>;

/** A repeated merge answers as the first. */
export function performMerge({ live, merging }: People, operation: Of<'merge'>, given: Given): Performed {
  const { include, isDry } = operation;
  const { merge, isNew, shown } = merging.merge(operation, given);
  const { id, target, from, taken, lost, until } = merge;
  const told = (person: typeof shown | undefined) => ({
    status: 200,
    data: {
      merge_id: isDry ? null : id,
      undo_until: until.text ?? null,
      contact: person ? viewOf(person, include) : null,
      taken,
      lost,
    },
    hasTag: person !== undefined,
  });
  const change = { ...about('merged', target), contact_ids: from };
  return {
    answer: () => told(shown),
    repeat: () => told(live.get(target)),
    changes: isNew ? [change] : [],
    learn: ({ undo_until: text }) => learnTime(until, text),
  };
}

export function performUndo({ live, merging }: People, { id, include }: Of<'undo'>, given: Given): Performed {
  const { target, back, kept } = merging.undo(id, given);
  const ids = back.map((one) => one.id);
  const repeat = () => {
    const contacts = [target.id, ...ids].flatMap((one) => live.get(one) ?? []);
    return { status: 200, data: { contacts: contacts.map((one) => viewOf(one, include)), kept } };
  };
  return { answer: repeat, repeat, changes: [{ ...about('unmerged', target.id), contact_ids: ids }] };
}

export function performErasure(
  { live, bin, merging }: People,
  { ids, reference, isDry }: Of<'erase'>,
  { at, newId }: Given,
): Performed {
  const isThere = (id: string) => live.has(id) || bin.has(id) || merging.merged.has(id);
  const there = new Set(ids.filter(isThere));
  const erasedAt: Moment = { from: at.from, to: at.to };
  const receiptId = isDry ? null : newId();
  const gone: readonly string[] = isDry ? [] : merging.purge([...there]).gone;
  const answer = () => ({
    status: 200,
    data: {
      receipt_id: receiptId,
      erased_at: isDry ? null : (erasedAt.text ?? 'a time of this run'),
      contacts: there.size,
      reference: reference ?? null,
    },
  });
  const change = { type: 'contacts.erased', contact_id: null, contact_ids: gone.toSorted(), changed: null };
  const changes = receiptId !== null && gone.length > 0 ? [{ ...change, receipt_id: receiptId }] : [];
  return { answer, repeat: answer, changes, learn: ({ erased_at: text }) => learnTime(erasedAt, text) };
}

function about(outcome: string, id: string): Change {
  return { type: `contact.${outcome}`, contact_id: id, contact_ids: null, changed: null };
}

import { type Kept, openAttempts, type Parts, refusing } from './attempts.ts';
import { objectionTo, type Operation } from './operations.ts';
import type { People } from './people.ts';
import { includes, viewOf } from './person.ts';
import { aRead, aWrite, foreignOperations } from './random-operations.ts';
import { aSearch } from './search-model.ts';
import type { Slot } from './slot.ts';

export interface LaneParts extends Parts {
  /** Chatbots of other projects, and contacts of other chatbots. */
  foreign: { chatbots: () => readonly string[]; contacts: () => readonly string[] };
}

interface OwnSlot extends Slot {
  /** All that were ever made here. */
  ids: string[];
  kept: Kept | undefined;
}

const slotsOfLane = 10;
const burstMax = 6;
const failuresMax = 30;

/** A burst of operations on the contacts of one chatbot at a time; none bears on another of its burst. */
export function openLane(parts: LaneParts): () => Promise<void> {
  const { model, judge, random, foreign, tally } = parts;
  const { live } = model.people;
  const { attempt, repeat, reuse } = openAttempts(parts);
  const slots = Array.from({ length: slotsOfLane }, (_, number) => slotOf(number, model.people));
  const see = (operation: Operation) => attempt(operation, []);

  const guarded = async (operation: Operation & { kind: 'update' | 'merge' }) => {
    const person = live.get(operation.id);
    // 404, 410 and 422 come before 412, and a merge that was done needs no tag.
    if (!person || ('properties' in operation && objectionTo(operation.properties))) return see(operation);
    if ('from' in operation && !operation.from.every((id) => live.has(id))) return see(operation);
    if (random.below(2) === 0)
      return attempt(operation, [], { ifMatch: '"other"', as: refusing(model.id, 'precondition_failed') });
    // The tag of any representation guards.
    const { id } = operation;
    const include = random.pick([[], operation.include, includes]);
    await see({ kind: 'retrieve', id, include });
    return attempt(operation, [], { ifMatch: `"other", ${judge.tagOf(viewOf(person, include))}` });
  };
  const work = async (slot: OwnSlot) => {
    const { kept, ids } = slot;
    if (kept && random.below(6) === 0) return random.below(4) === 0 ? reuse(kept) : repeat(kept);
    const operation = aWrite(slot, random);
    if ((operation.kind === 'update' || operation.kind === 'merge') && random.below(3) === 0) return guarded(operation);
    const copies = random.below(8) === 0 ? 2 + random.below(3) : 1;
    slot.kept = (await attempt(operation, ids, { copies })) ?? kept;
  };
  const onForeign = async () => {
    const { byId, any } = foreignOperations(random.pick(['nobody', ...foreign.contacts()]), random);
    if (random.below(2) === 0) return see(byId);
    return attempt(any, [], { as: refusing(random.pick(foreign.chatbots()), 'not_found') });
  };
  return async () => {
    if (tally.failures.length >= failuresMax) throw new Error(tally.failures.join('\n'));
    const used = shuffled(slots, random.below).slice(0, 1 + random.below(burstMax));
    const isForeignToo = random.below(3) === 0;
    await Promise.all([...used.map(work), ...(isForeignToo ? [onForeign()] : [])]);
    // What was changed is seen whole once nothing is under way.
    const everybody = { kind: 'list', page: 1, perPage: 100 } as const;
    await see({ ...everybody, list: 'date_desc', include: includes });
    await see({ ...everybody, list: 'deleted', include: [] });
    for (let count = random.below(4); count > 0; count--) await see(aRead(slots, random));
    await see(aSearch([model], random));
  };
}

function slotOf(number: number, { live, bin, merging }: People): OwnSlot {
  const ids: string[] = [];
  return {
    ids,
    kept: undefined,
    emails: [`p${number}@example.com`, `zoë.${number}@example.org`],
    externalIds: [`crm-${number}`, `ü/${number}?#`],
    phones: [`+1 (555) 01-${number}0`, `0049 30 ${number}77`],
    live: () => ids.filter((id) => live.has(id)),
    deleted: () => ids.filter((id) => bin.has(id)),
    merged: () => ids.filter((id) => merging.merged.has(id)),
    merges: () =>
      [...merging.merges.values()].filter(
        ({ id, target, isUndone }) => !isUndone && ids.includes(target) && merging.conflictsOf(id) < 2,
      ),
  };
}

function shuffled<T>(all: readonly T[], below: (limit: number) => number): T[] {
  return all
    .map((one) => ({ one, place: below(1_000_000) }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ one }) => one);
}

import { type Former, planMerge, planUndo, type Taken } from './merge-plan.ts';
import type { Match } from './operations.ts';
import type { Given } from './people.ts';
import { changedNames, type Fields, isSameEmail, type Moment, type Person, Refused, refuse } from './person.ts';

/** A contact that was merged into another one, and leads there. */
interface Merged {
  person: Person;
  /** While its external id leads to the one that stays. */
  alias: string | null;
  /** The contact into which it was merged first, and the one to which it leads now. */
  first: string;
  into: string;
  mergeId: string;
}

export interface Merge {
  id: string;
  target: string;
  from: readonly string[];
  keep: Taken;
  taken: Taken;
  lost: readonly { field: string; contact_id: string }[];
  until: Moment;
  former: Former;
  isUndone: boolean;
}

export interface MergeAsked {
  id: string;
  from: readonly string[];
  keep: Taken;
  isDry: boolean;
}

export type Merging = ReturnType<typeof openMerging>;

const binMs = 30 * 86_400_000;

/** What the contacts of a chatbot that were merged lead to. Everything throws Refused, and nothing is changed. */
export function openMerging(live: Map<string, Person>, bin: Map<string, Person>) {
  const merged = new Map<string, Merged>();
  const merges = new Map<string, Merge>();
  const leadsOf = (isMeant: (one: Merged) => boolean): string[] => [
    ...new Set([...merged.values()].filter(isMeant).map(({ into }) => into)),
  ];
  const isLed = (match: Match) => (one: Merged) =>
    match.id !== undefined
      ? one.person.id === match.id
      : match.email === undefined
        ? one.alias !== null && one.alias === match.external_id
        : isSameEmail(one.person.fields.email, match.email);
  const requireUnmerged = (id: string): void => {
    const one = merged.get(id);
    if (one) throw new Refused('merged', { merged_into: one.into });
  };
  const must = (id: string): Person => {
    const person = live.get(id);
    if (!person) requireUnmerged(id);
    return person ?? refuse('not_found');
  };
  /** Those that were merged into these, directly or through others. */
  const leading = (ids: readonly string[]): Set<string> => {
    const all = new Set(ids);
    for (let size = 0; size !== all.size;) {
      size = all.size;
      for (const [id, { first }] of merged) if (all.has(first)) all.add(id);
    }
    return all;
  };
  const earlier = ({ id, from, keep }: MergeAsked): Merge | undefined => {
    const one = from.map((source) => merged.get(source)).find((found) => found !== undefined);
    if (!one) return undefined;
    const merge = merges.get(one.mergeId);
    const isSame = merge?.target === id && requestOf(merge.from, merge.keep) === requestOf(from, keep);
    if (merge && isSame) return merge;
    throw new Refused('merged', { merged_into: one.into });
  };
  return {
    merged,
    merges,
    must,
    requireUnmerged,
    /** The contacts that stay and that a key leads to, where nobody has it. */
    targetsOf: (match: Match): Person[] => leadsOf(isLed(match)).flatMap((id) => live.get(id) ?? []),
    leadsTo: (match: Match, id: string): boolean => leadsOf(isLed(match)).includes(id),
    /** Somebody takes an external id. */
    take: (externalId: string, id: string): void => {
      const led = [...merged.values()].filter(({ alias }) => alias === externalId);
      if (led.some(({ into }) => into !== id)) for (const one of led) one.alias = null;
    },
    merge: (asked: MergeAsked, { at, newId }: Given) => {
      const target = must(asked.id);
      const before = earlier(asked);
      if (before) return { merge: before, isNew: false, shown: target };
      const sources = asked.from.map(must);
      const byAge = sources.toSorted((a, b) => (ageOf(a) < ageOf(b) ? -1 : 1));
      const { fields, taken, former, lost } = planMerge(target, byAge, asked.keep);
      const until = { from: at.from + binMs, to: at.to + binMs };
      const { from, keep } = asked;
      const merge: Merge = { id: '', target: target.id, from, keep, taken, lost, until, former, isUndone: false };
      if (asked.isDry) return { merge, isNew: false, shown: { ...target, fields } };
      merge.id = newId();
      merges.set(merge.id, merge);
      for (const one of merged.values()) if (from.includes(one.into)) one.into = target.id;
      for (const person of sources) {
        live.delete(person.id);
        const { external_id: alias } = person.fields;
        merged.set(person.id, { person, alias, first: target.id, into: target.id, mergeId: merge.id });
      }
      write(target, fields, at);
      return { merge, isNew: true, shown: target };
    },
    /** How many contacts have what would come back; with several, any of them may be named. */
    conflictsOf: (mergeId: string): number => {
      const merge = merges.get(mergeId);
      const target = merge && live.get(merge.target);
      return merge && target ? heldBy(target, plannedUndo(merge, target)).length : 0;
    },
    undo: (mergeId: string, { at }: Given) => {
      const merge = merges.get(mergeId);
      if (!merge || merge.isUndone) refuse('not_found');
      const target = live.get(merge.target);
      if (!target) {
        const message = 'The contact that stayed was merged, deleted or purged; restore it first, or undo that merge';
        throw new Refused('conflict', { existing: [merge.target], message });
      }
      const plan = plannedUndo(merge, target);
      const [other] = heldBy(target, plan);
      if (other) {
        const message = 'Another contact of the chatbot has this external_id';
        throw new Refused('conflict', { existing: [other.id], message });
      }
      write(target, plan.fields, at);
      for (const person of plan.back) {
        const led = leading([person.id]);
        merged.delete(person.id);
        live.set(person.id, Object.assign(person, { updated: at }));
        for (const [id, one] of merged) if (one.into === target.id && led.has(id)) one.into = person.id;
      }
      merge.isUndone = true;
      return { target, back: plan.back, kept: plan.kept };
    },
    /** Deletes contacts for good, with what leads from them; those that were there, and all. */
    purge: (ids: readonly string[]) => {
      const led = leading(ids);
      const own = ids.filter((id) => live.has(id) || bin.has(id) || merged.has(id));
      const leads = [...merged].filter(([id, { into }]) => led.has(id) || ids.includes(into)).map(([id]) => id);
      for (const id of own) for (const map of [live, bin]) map.delete(id);
      for (const id of leads) merged.delete(id);
      return { own, gone: [...new Set([...own, ...leads])] };
    },
  };

  function plannedUndo({ from, taken, former, id }: Merge, target: Person) {
    const back = from.toSorted().flatMap((source) => {
      const one = merged.get(source);
      return one?.mergeId === id ? one.person : [];
    });
    return { back, ...planUndo(target, back, taken, former) };
  }

  function heldBy(target: Person, { back, fields }: { back: readonly Person[]; fields: Fields }): Person[] {
    const after = { ...target, fields };
    const all = [after, ...back];
    return [...live.values()].filter((one) => {
      const held = one === target ? after : one;
      const { external_id: externalId } = held.fields;
      return externalId !== null && all.some((own) => own !== held && own.fields.external_id === externalId);
    });
  }
}

function write(person: Person, fields: Fields, at: Moment): void {
  if (changedNames(person.fields, fields).length > 0) Object.assign(person, { fields, updated: at });
}

const ageOf = ({ created, id }: Person) => `${created.text} ${id}`;

function requestOf(from: readonly string[], keep: Taken): string {
  return JSON.stringify([from.toSorted(), Object.entries(keep).toSorted(([a], [b]) => (a < b ? -1 : 1))]);
}

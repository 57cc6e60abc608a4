import { roster } from '../../api.ts';
import { patiently, type Patience } from '../../patience.ts';
import type { BulkItem } from '../../types.ts';
import { asError } from '../../use-action.ts';
import type { PeopleList } from './list.ts';
import { keyOf, type Person, type Place } from './person.ts';
import type { Total } from './view.ts';

const itemsMax = 1_000;

/** A change of many people that runs. */
export interface Work {
  label: string;
  total: Total;
  done: number;
  /** For how many seconds the server asks to wait. */
  waiting?: number | undefined;
  stop: () => void;
}

export interface Change {
  item: BulkItem;
  /** What takes the change back. */
  undo?: BulkItem | undefined;
}

interface Held {
  place: Place;
  change: Change;
}

export interface Plan<One extends Place> {
  label: string;
  total: Total;
  /** Those to change, in pages. */
  people: (patience: Patience) => AsyncIterable<One[]> | Iterable<One[]>;
  /** Undefined where there is nothing to change. */
  changeOf: (one: One) => Change | undefined;
  /** How a person is afterwards, in the list. */
  after?: (person: Person) => Person;
}

export interface Outcome {
  /** The keys of those who were changed. */
  done: Set<string>;
  /** People whom Roster could not change, and why the first of them. */
  failed: number;
  reason: string;
  isStopped: boolean;
  /** Why the rest was not changed. */
  error?: Error;
  undo: { place: Place; item: BulkItem }[];
}

/** Changes people a thousand in a request, until a request fails or somebody stops it. */
export async function changeAll<One extends Place>(list: PeopleList, plan: Plan<One>): Promise<Outcome> {
  const stop = new AbortController();
  const { signal } = stop;
  const outcome: Outcome = { done: new Set(), failed: 0, reason: '', isStopped: false, undo: [] };
  const report = (more: Partial<Work>) => {
    list.report({ label: plan.label, total: plan.total, done: 0, ...list.work, stop: () => stop.abort(), ...more });
  };
  const onWait = (waiting: number | undefined) => report({ waiting });
  const held = new Map<string, Held[]>();
  let seen = 0;
  const send = async (chatbotId: string, batch: readonly Held[]) => {
    const items = batch.map(({ change }) => change.item);
    signal.throwIfAborted();
    const { results } = await patiently(() => roster.bulkContacts({ chatbotId, items }), { onWait });
    for (const { index, outcome: one, errors, message } of results) {
      const given = batch[index];
      if (!given || one === 'failed') {
        outcome.failed++;
        outcome.reason ||= errors?.[0]?.message ?? message ?? 'they are gone';
      } else {
        const { place, change } = given;
        outcome.done.add(keyOf(place));
        if (change.undo) outcome.undo.push({ place, item: change.undo });
      }
    }
    const { after } = plan;
    if (after) list.change((one) => (outcome.done.has(keyOf(one)) ? after(one) : one));
    report({ done: seen });
  };
  report({ done: 0 });
  try {
    for await (const people of plan.people({ signal, onWait })) {
      for (const one of people) {
        const change = plan.changeOf(one);
        seen++;
        if (!change) continue;
        const { chatbot_id: chatbotId, id } = one;
        const batch = held.get(chatbotId) ?? [];
        batch.push({ place: { chatbot_id: chatbotId, id }, change });
        held.set(chatbotId, batch);
        if (batch.length === itemsMax) await send(chatbotId, batch.splice(0));
      }
    }
    for (const [chatbotId, batch] of held) if (batch.length > 0) await send(chatbotId, batch);
  } catch (error) {
    if (signal.aborted) outcome.isStopped = true;
    else outcome.error = asError(error);
  }
  list.report(undefined);
  return outcome;
}

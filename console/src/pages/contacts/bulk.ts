import { roster } from '../../api.ts';
import { isAnswerLost, patiently, type Patience } from '../../patience.ts';
import { messageOf } from '../../ui/failed.tsx';
import { toast } from '../../ui/toast.tsx';
import { asError } from '../../use-action.ts';
import type { TextField } from '../contact/fields.ts';
import type { PeopleList } from './list.ts';
import { type AttributeValue, keyOf, type Person, type Place } from './person.ts';
import { counted, type Total } from './view.ts';

const itemsMax = 1_000;

/** The browser asks before it closes the page in the middle of it. */
const askFirst = (event: Event) => event.preventDefault();

/** A change of many people that runs. */
export interface Work {
  label: string;
  total: Total;
  done: number;
  /** For how many seconds the server asks to wait. */
  waiting?: number | undefined;
  stop: () => void;
}

export type Properties = { [Field in TextField]?: string | null } & {
  attributes?: Record<string, AttributeValue | null>;
  tags?: { add?: readonly string[]; remove?: readonly string[] };
};

/** A change of a contact and its undo; a deletion where it has no properties. */
export interface Change extends Place {
  properties?: Properties;
  former?: Properties;
}

interface Plan<One> {
  label: string;
  /** The past participle for messages, such as `deleted`. */
  verb: string;
  total: Total;
  /** Those to change, in pages. */
  people: (patience: Patience) => AsyncIterable<readonly One[]> | Iterable<readonly One[]>;
  /** Undefined where there is nothing to change. */
  changeOf: (one: One) => Change | undefined;
}

/**
 * Changes a thousand contacts in a request, until a request fails or somebody stops it. Shows how many were not changed, and
 * returns the error that ended it.
 */
export async function changeAll<One>(list: PeopleList, plan: Plan<One>) {
  const { label, verb, total } = plan;
  const stop = new AbortController();
  const { signal } = stop;
  const done: Change[] = [];
  const held = new Map<string, Change[]>();
  let [seen, failed, reason] = [0, 0, ''];
  let error: Error | undefined;
  const report = (waiting?: number) => list.report({ label, total, done: seen, waiting, stop: () => stop.abort() });
  const send = async (chatbotId: string, batch: readonly Change[]) => {
    signal.throwIfAborted();
    const items = batch.map(({ id, properties }) =>
      properties ? { op: 'update' as const, id, properties } : { op: 'delete' as const, id },
    );
    const { results } = await patiently(() => roster.bulkContacts({ chatbotId, items }), { onWait: report });
    const written = new Map<string, Properties>();
    for (const { index, outcome, errors, message } of results) {
      const change = batch[index];
      if (!change || outcome === 'failed') {
        failed++;
        reason ||= errors?.[0]?.message ?? message ?? 'they are gone';
      } else {
        done.push(change);
        if (change.properties) written.set(keyOf(change), change.properties);
      }
    }
    list.change((one) => {
      const properties = written.get(keyOf(one));
      return properties ? withProperties(one, properties) : one;
    });
    report();
  };
  report();
  addEventListener('beforeunload', askFirst);
  try {
    for await (const people of plan.people({ signal, onWait: report })) {
      for (const one of people) {
        const change = plan.changeOf(one);
        seen++;
        if (!change) continue;
        const batch = held.get(change.chatbot_id) ?? [];
        batch.push(change);
        held.set(change.chatbot_id, batch);
        if (batch.length === itemsMax) await send(change.chatbot_id, batch.splice(0));
      }
    }
    for (const [chatbotId, batch] of held) if (batch.length > 0) await send(chatbotId, batch);
  } catch (thrown) {
    error = asError(thrown);
  }
  removeEventListener('beforeunload', askFirst);
  list.report(undefined);
  const rest = done.length === 0 ? `No contact was ${verb}.` : `The others were not ${verb}.`;
  if (isAnswerLost(error)) {
    toast(`Roster cannot tell who was ${verb}. Check the list before you retry.`);
    list.reload();
  } else if (error) toast(signal.aborted ? `Stopped. ${rest}` : `${rest} ${messageOf(error)}`);
  if (failed > 0) toast(`${counted(failed)} could not be ${verb}: ${reason}.`);
  return { done, failed, error };
}

/** How lists show a person after a change. */
function withProperties(person: Person, properties: Properties): Person {
  const { add = [], remove = [] } = properties.tags ?? {};
  const others = person.tags.filter((one) => !add.includes(one) && !remove.includes(one));
  return { ...person, ...properties, tags: [...others, ...add].toSorted() } as Person;
}

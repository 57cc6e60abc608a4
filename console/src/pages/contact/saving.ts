import { useCallback, useRef, useState } from 'preact/hooks';

import { api, ApiError } from '../../api.ts';
import type { Request } from '../../curl.ts';
import { Cancelled } from '../../use-action.ts';
import type { PeopleList } from '../contacts/list.ts';
import { wholeInclude, type WholePerson } from '../contacts/person.ts';
import { type Held, loadContact, pathOf } from './held.ts';

export type Properties = Readonly<Record<string, unknown>>;

/** Somebody else has changed the contact meanwhile; whoever edits it decides. */
export interface Conflict {
  was: WholePerson;
  now: WholePerson;
  properties: Properties;
  decide: (choice: Choice) => void;
}

export type Choice = 'mine' | 'theirs' | 'neither';

export interface Saving {
  save: (properties: Properties) => Promise<void>;
  conflict: Conflict | undefined;
  /** The last change. */
  done: Request | undefined;
}

interface Place {
  chatbotId: string;
  contactId: string;
  held: Held;
  set: (held: Held) => void;
  list: PeopleList;
}

/** Saves properties of the contact as it was seen, one change after the other. Throws `Cancelled` where it is given up. */
export function useSaving(place: Place): Saving {
  const [conflict, setConflict] = useState<Conflict>();
  const [done, setDone] = useState<Request>();
  const latest = useRef(place);
  latest.current = place;
  const queue = useRef<Promise<unknown>>(Promise.resolve());

  const save = useCallback((properties: Properties) => {
    const ask = (was: WholePerson, now: WholePerson) =>
      new Promise<Choice>((decide) => setConflict({ was, now, properties, decide })).finally(() =>
        setConflict(undefined),
      );
    const work = async () => {
      const { held, set, list, chatbotId, contactId } = latest.current;
      const saved = await write(latest.current, properties, ask);
      latest.current = { ...latest.current, held: saved.held };
      set(saved.held);
      list.change((one) => (one.id === held.person.id ? saved.held.person : one));
      if (saved.isMine) setDone({ method: 'PATCH', path: pathOf(chatbotId, contactId), body: { properties } });
    };
    const result = queue.current.then(work, work);
    queue.current = result.catch(() => undefined);
    return result;
  }, []);
  return { save, conflict, done };
}

async function write(
  { chatbotId, contactId, held }: Place,
  properties: Properties,
  ask: (was: WholePerson, now: WholePerson) => Promise<Choice>,
): Promise<{ held: Held; isMine: boolean }> {
  let seen = held;
  for (;;) {
    try {
      const { data, etag } = await api.tagged<WholePerson>('PATCH', pathOf(chatbotId, contactId), {
        query: { include: wholeInclude },
        body: { properties },
        headers: seen.etag === null ? {} : { 'if-match': seen.etag },
      });
      return { held: { person: data, etag, isBin: false }, isMine: true };
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 412) throw error;
    }
    const now = await loadContact(chatbotId, contactId, false, new AbortController().signal);
    const choice = await ask(seen.person, now.person);
    if (choice === 'neither') throw new Cancelled();
    if (choice === 'theirs') return { held: now, isMine: false };
    seen = now;
  }
}

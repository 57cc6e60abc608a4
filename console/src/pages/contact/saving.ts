import { useCallback, useRef, useState } from 'preact/hooks';

import { roster, statusOf } from '../../api.ts';
import type { ContactProperties } from '../../types.ts';
import { Cancelled } from '../../use-action.ts';
import type { PeopleList } from '../contacts/list.ts';
import { type Person, wholeInclude, type WholePerson } from '../contacts/person.ts';
import { type Held, heldOf, loadContact } from './held.ts';

/** Somebody else has changed the contact meanwhile; whoever edits it decides. */
export interface Conflict {
  was: WholePerson;
  now: WholePerson;
  properties: ContactProperties;
  decide: (choice: Choice) => void;
}

export type Choice = 'mine' | 'theirs' | 'neither';

export interface Saving {
  save: (properties: ContactProperties) => Promise<void>;
  conflict: Conflict | undefined;
  /** The last change. */
  done: ContactProperties | undefined;
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
  const [done, setDone] = useState<ContactProperties>();
  const latest = useRef(place);
  latest.current = place;
  const queue = useRef<Promise<unknown>>(Promise.resolve());

  const save = useCallback((properties: ContactProperties) => {
    const ask = (was: WholePerson, now: WholePerson) =>
      new Promise<Choice>((decide) => setConflict({ was, now, properties, decide })).finally(() =>
        setConflict(undefined),
      );
    const work = async () => {
      const { held, set, list } = latest.current;
      const saved = await write(latest.current, properties, ask);
      latest.current = { ...latest.current, held: saved.held };
      set(saved.held);
      const { chatbotId } = latest.current;
      const isSame = (one: Person) => one.id === held.person.id && one.chatbot_id === chatbotId;
      list.change((one) => (isSame(one) ? { ...saved.held.person, chatbot_id: chatbotId } : one));
      if (saved.isMine) setDone(properties);
    };
    const result = queue.current.then(work, work);
    queue.current = result.catch(() => undefined);
    return result;
  }, []);
  return { save, conflict, done };
}

async function write(
  { chatbotId, contactId, held }: Place,
  properties: ContactProperties,
  ask: (was: WholePerson, now: WholePerson) => Promise<Choice>,
): Promise<{ held: Held; isMine: boolean }> {
  let seen = held;
  for (;;) {
    try {
      const input = { chatbotId, contactId, include: wholeInclude, properties };
      const answered = await roster.updateContact(input, { ifMatch: seen.etag }).withResponse();
      return { held: heldOf(answered), isMine: true };
    } catch (error) {
      if (statusOf(error) !== 412) throw error;
    }
    const now = await loadContact(chatbotId, contactId, false);
    const choice = await ask(seen.person, now.person);
    if (choice === 'neither') throw new Cancelled();
    if (choice === 'theirs') return { held: now, isMine: false };
    seen = now;
  }
}

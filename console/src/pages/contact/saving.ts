import { useRef, useState } from 'preact/hooks';

import { roster, statusOf } from '../../api.ts';
import type { ContactProperties } from '../../types.ts';
import { Cancelled } from '../../use-action.ts';
import { keyOf, wholeInclude, type WholePerson } from '../contacts/person.ts';
import { type Held, heldOf, loadContact, type Sheet } from './held.ts';

/** Somebody else has changed the contact meanwhile; whoever edits it decides. */
export interface Conflict {
  was: WholePerson;
  now: WholePerson;
  properties: ContactProperties;
  decide: (choice: Choice) => void;
}

type Choice = 'mine' | 'theirs' | 'neither';

type Place = { held: Held } & Pick<Sheet, 'chatbotId' | 'set' | 'list'>;

/** Saves properties of the contact as it was seen, one change after the other. */
export function useSaving({ chatbotId, held, set, list }: Place) {
  const [conflict, setConflict] = useState<Conflict>();
  const latest = useRef(held);
  latest.current = held;
  const queue = useRef<Promise<unknown>>(Promise.resolve());
  const save = (properties: ContactProperties): Promise<void> => {
    const ask = (was: WholePerson, now: WholePerson) =>
      new Promise<Choice>((decide) => setConflict({ was, now, properties, decide })).finally(() =>
        setConflict(undefined),
      );
    const work = async () => {
      latest.current = await write(chatbotId, latest.current, properties, ask);
      set(latest.current);
      const saved = { ...latest.current.person, chatbot_id: chatbotId };
      list.change((one) => (keyOf(one) === keyOf(saved) ? saved : one));
    };
    const result = queue.current.then(work, work);
    queue.current = result.catch(() => undefined);
    return result;
  };
  return { save, conflict };
}

async function write(
  chatbotId: string,
  held: Held,
  properties: ContactProperties,
  ask: (was: WholePerson, now: WholePerson) => Promise<Choice>,
): Promise<Held> {
  const contactId = held.person.id;
  let seen = held;
  for (;;) {
    try {
      const input = { chatbotId, contactId, include: wholeInclude, properties };
      return heldOf(await roster.updateContact(input, { ifMatch: seen.etag }).withResponse());
    } catch (error) {
      if (statusOf(error) !== 412) throw error;
    }
    const now = await loadContact(chatbotId, contactId, false);
    const choice = await ask(seen.person, now.person);
    if (choice === 'neither') throw new Cancelled();
    if (choice === 'theirs') return now;
    seen = now;
  }
}

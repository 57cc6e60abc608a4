import { useEffect, useState } from 'preact/hooks';

import { roster } from '../../api.ts';
import { pause } from '../../patience.ts';
import type { Chatbot } from '../../types.ts';
import { Icon } from '../../ui/icon.tsx';
import { keyOf, type Person, titleOf } from './person.ts';
import { contactAddress } from './view.ts';

const kinds = { email: 'this e-mail', phone: 'this phone number' } as const;
const restMs = 250;
const shownMax = 3;

interface ExistingProps {
  kind: keyof typeof kinds;
  value: string;
  chatbots: readonly Chatbot[];
}

/** Who has this value already, in any chatbot, while somebody types it. Their pages open beside this one. */
export function Existing({ kind, value, chatbots }: ExistingProps) {
  const [people, setPeople] = useState<readonly Person[]>([]);
  const text = value.trim();
  useEffect(() => {
    const stop = new AbortController();
    setPeople([]);
    if (!isWhole(kind, text)) return undefined;
    const look = async () => {
      await pause(restMs, stop.signal);
      const { contacts } = await roster.lookUpAllContacts({ [kind]: text, include: ['tags'] }, { signal: stop.signal });
      if (!stop.signal.aborted) setPeople(contacts.slice(0, shownMax) as unknown as Person[]);
    };
    // A warning that cannot be had is no error of the form.
    look().catch(() => undefined);
    return () => stop.abort();
  }, [kind, text]);
  return (
    <div role="status">
      {people.map((person) => (
        <p key={keyOf(person)} class="note note-warn">
          <Icon name="warning" />
          <span>
            <a href={contactAddress(person.chatbot_id, person.id)} target="_blank">
              <bdi>{titleOf(person)}</bdi>
            </a>
            {` in ${chatbots.find(({ id }) => id === person.chatbot_id)?.name ?? 'another chatbot'} has ${kinds[kind]}.`}
          </span>
        </p>
      ))}
    </div>
  );
}

/** Nobody has half an address. */
function isWhole(kind: ExistingProps['kind'], text: string): boolean {
  return kind === 'email' ? /.@.+\../.test(text) : text.replaceAll(/\D/g, '').length >= 6;
}

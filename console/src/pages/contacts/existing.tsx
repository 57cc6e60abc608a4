import { roster } from '../../api.ts';
import { pause } from '../../patience.ts';
import { useQuery } from '../../query.ts';
import type { Chatbot } from '../../types.ts';
import { Icon } from '../../ui/icon.tsx';
import { keyOf, titleOf } from './person.ts';
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
  const text = value.trim();
  // A warning that cannot be had is no error of the form.
  const { data: people = [] } = useQuery(['contacts', 'existing', kind, text], async (signal) => {
    if (!isWhole(kind, text)) return [];
    await pause(restMs, signal);
    const { contacts } = await roster.lookUpAllContacts({ [kind]: text, include: ['tags'] }, { signal });
    return contacts.slice(0, shownMax);
  });
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

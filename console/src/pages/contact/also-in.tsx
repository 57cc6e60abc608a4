import { roster } from '../../api.ts';
import { useQuery } from '../../query.ts';
import type { ContactInProject } from '../../types.ts';
import { useChatbots } from '../../use-chatbots.ts';
import { titleOf, type WholePerson } from '../contacts/person.ts';
import { contactAddress } from '../contacts/view.ts';
import type { Sheet } from './held.ts';

const kinds = { email: 'e-mail', phone: 'phone', external_id: 'external id' } as const;
const shownMax = 8;
/** A phone that more share is that of a company. */
const phonesMax = 5;

/** The contacts of the project who share a key with this one, each with the first that they share. */
async function othersOf(chatbotId: string, person: WholePerson, signal: AbortSignal) {
  const names = Object.keys(kinds) as (keyof typeof kinds)[];
  const asked = names.map(async (name) => {
    const value = person[name];
    if (value === null) return [];
    const { contacts } = await roster.lookUpAllContacts({ [name]: value }, { signal });
    const isOfMany = name === 'phone' && contacts.length > phonesMax;
    return isOfMany ? [] : contacts.map((one) => ({ one, shared: kinds[name] }));
  });
  const found = new Map<string, { one: ContactInProject; shared: string }>();
  for (const other of (await Promise.all(asked)).flat()) {
    const address = contactAddress(other.one.chatbot_id, other.one.id);
    if (!found.has(address)) found.set(address, other);
  }
  found.delete(contactAddress(chatbotId, person.id));
  return [...found];
}

export function AlsoIn({ chatbotId, person }: Sheet) {
  const shared = JSON.stringify([person.email, person.phone, person.external_id]);
  const { data: others = [] } = useQuery(['contacts', chatbotId, person.id, 'others', shared], (signal) =>
    othersOf(chatbotId, person, signal),
  );
  const { data: chatbots = [] } = useChatbots();
  const nameOf = (id: string) => chatbots.find((one) => one.id === id)?.name ?? 'another chatbot';
  if (others.length === 0) return null;
  return (
    <p class="also-in">
      Also in{' '}
      {others.slice(0, shownMax).map(([address, { one, shared }], index) => (
        <>
          {index > 0 && ', '}
          <a href={address} title={titleOf(one)} key={address}>
            <bdi>{nameOf(one.chatbot_id)}</bdi>
          </a>
          {(shared !== kinds.email || one.chatbot_id === chatbotId) && <span class="soft"> (same {shared})</span>}
        </>
      ))}
      {others.length > shownMax && `, and ${(others.length - shownMax).toLocaleString()} more`}
    </p>
  );
}

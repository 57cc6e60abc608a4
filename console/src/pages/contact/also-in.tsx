import { roster } from '../../api.ts';
import { useQuery } from '../../query.ts';
import { useChatbots } from '../../use-chatbots.ts';
import { keyOf, titleOf, type WholePerson } from '../contacts/person.ts';
import { contactAddress } from '../contacts/view.ts';
import { keyNames, labelOf } from './fields.ts';
import type { Sheet } from './held.ts';

const shownMax = 8;
/** A phone that more share is that of a company. */
const phonesMax = 5;

/** The contacts of the project who share a key with this one, each with the first that they share. */
async function othersOf(chatbotId: string, person: WholePerson, signal: AbortSignal) {
  const asked = keyNames.map(async (name) => {
    const value = person[name];
    if (value === null) return [];
    const { contacts } = await roster.lookUpAllContacts({ [name]: value }, { signal });
    const isOfMany = name === 'phone' && contacts.length > phonesMax;
    return isOfMany ? [] : contacts.map((one) => Object.assign(one, { shared: name }));
  });
  const seen = new Set([keyOf({ chatbot_id: chatbotId, id: person.id })]);
  const isNew = (key: string) => !seen.has(key) && seen.add(key);
  return (await Promise.all(asked)).flat().filter((one) => isNew(keyOf(one)));
}

export function AlsoIn({ chatbotId, person }: Sheet) {
  const keys = JSON.stringify(keyNames.map((name) => person[name]));
  const { data: others = [] } = useQuery(['contacts', chatbotId, person.id, 'others', keys], (signal) =>
    othersOf(chatbotId, person, signal),
  );
  const { data: chatbots = [] } = useChatbots();
  const nameOf = (id: string) => chatbots.find((one) => one.id === id)?.name ?? 'another chatbot';
  if (others.length === 0) return null;
  return (
    <p class="also-in">
      Also in{' '}
      {others.slice(0, shownMax).map((one, index) => (
        <>
          {index > 0 && ', '}
          <a href={contactAddress(one.chatbot_id, one.id)} title={titleOf(one)} key={keyOf(one)}>
            <bdi>{nameOf(one.chatbot_id)}</bdi>
          </a>
          {(one.shared !== 'email' || one.chatbot_id === chatbotId) && (
            <span class="soft"> (same {labelOf(one.shared).toLowerCase()})</span>
          )}
        </>
      ))}
      {others.length > shownMax && `, and ${(others.length - shownMax).toLocaleString()} more`}
    </p>
  );
}

import { roster } from '../../api.ts';
import { patiently, type Patience } from '../../patience.ts';
import type { Person, Place } from './person.ts';
import { askForFile, noFilters, type View } from './view.ts';

const idsMax = 100;
/** Everything but the time of change, as files have it. */
const include = ['details', 'external_id', 'attributes', 'tags'] as const;

/** Reads people anew in pages, whatever happens to those who were read before. Throws the reason of the signal. */
export async function* peopleOf(whom: View | ReadonlyMap<string, Place>, patience: Patience): AsyncGenerator<Person[]> {
  const { signal } = patience;
  if ('query' in whom) {
    // A change moves people in the order of updates.
    const view = whom.sort.startsWith('added') ? whom : { ...whom, sort: noFilters.sort };
    for (let cursor: string | undefined = '*'; cursor !== undefined;) {
      const from: string = cursor;
      const page = await patiently(() => askForFile(view, from, signal), patience);
      yield page.contacts;
      cursor = page.next_cursor ?? undefined;
    }
    return;
  }
  for (const [chatbotId, people] of Map.groupBy(whom.values(), (one) => one.chatbot_id)) {
    for (let at = 0; at < people.length; at += idsMax) {
      const ids = people.slice(at, at + idsMax).map(({ id }) => id);
      const input = { chatbotId, ids, include };
      const { contacts } = await patiently(() => roster.lookUpContacts(input, { signal }), patience);
      yield contacts.map((one) => Object.assign({ chatbot_id: chatbotId }, one) as Person);
    }
  }
}

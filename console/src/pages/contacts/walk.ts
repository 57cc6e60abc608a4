import { roster } from '../../api.ts';
import { patiently, type Patience } from '../../patience.ts';
import type { PeopleList } from './list.ts';
import type { Include } from './loaded.ts';
import type { Person } from './person.ts';
import { askForFile, noFilters, type Total, type View } from './view.ts';

/** People to do something with: all that a view finds, or some by their keys. */
export type Whom = View | ReadonlyMap<string, Person>;

export function selectionOf({ everything, selected }: PeopleList): Whom {
  return everything?.view ?? selected;
}

export function sizeOf({ everything, selected }: PeopleList): Total {
  return everything?.total ?? { value: selected.size, isExact: true };
}

const idsMax = 100;

/** Reads people anew in pages, whatever happens to those who were read before. Throws the reason of the signal. */
export async function* peopleOf(
  whom: Whom,
  include: Include,
  patience: Patience = {},
  ask = askForFile,
): AsyncGenerator<Person[]> {
  const { signal } = patience;
  if ('query' in whom) {
    // A change moves people in the order of updates.
    const view = whom.sort.startsWith('added') ? whom : { ...whom, sort: noFilters.sort };
    for (let cursor: string | undefined = '*'; cursor !== undefined;) {
      const from: string = cursor;
      const page = await patiently(() => ask<Person>(view, from, include, signal), patience);
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
      yield contacts.map((one) => Object.assign(one, { chatbot_id: chatbotId }) as Person);
    }
  }
}

import { operator } from '../../src/actor.ts';
import type { StoredContact } from '../../src/contacts/contact.ts';
import { searchContacts } from '../../src/contacts/search.ts';
import { run } from '../../src/operation.ts';
import type { Store } from '../../src/store.ts';
import type { aProject } from './people.ts';
import { isFound } from './search-reference.ts';

export type Desk = Awaited<ReturnType<typeof aProject>>;
export type Asked = Omit<Parameters<typeof searchContacts.run>[2], 'chatbotId' | 'include'>;

export function askOf(store: Store, { projectId, chatbotId }: Desk) {
  return async (asked: Asked) => {
    const { output } = await run(searchContacts, store, operator(projectId), { chatbotId, ...asked });
    return { ids: output.contacts.map(({ id }) => String(id)), next: output.next_cursor };
  };
}

/** All whom a search finds, from cursor to cursor. */
export async function findAll(ask: ReturnType<typeof askOf>, asked: Asked): Promise<string[]> {
  const found: string[] = [];
  for (let cursor: string | null = '*'; cursor !== null;) {
    const page = await ask({ ...asked, cursor });
    found.push(...page.ids);
    cursor = page.next;
  }
  return found;
}

/** Whom the promise names of people in the order in which they were added: the last of them first, unless it is asked otherwise. */
export function expected(
  people: readonly StoredContact[],
  { query, sort, tag, created_after: after, created_before: before }: Asked,
) {
  const found = people.filter(
    (one) =>
      (query == null || isFound(one, query)) &&
      (tag === undefined || one.tags.includes(tag)) &&
      (after === undefined || one.created_at > after) &&
      (before === undefined || one.created_at < before),
  );
  const ids = found.map(({ id }) => id);
  return sort?.endsWith('_asc') === true ? ids : ids.toReversed();
}

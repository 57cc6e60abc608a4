import { roster } from '../../api.ts';
import { forEachOf, isAnswerLost, patiently } from '../../patience.ts';
import type { BulkItem } from '../../types.ts';
import { messageOf } from '../../ui/failed.tsx';
import { toast } from '../../ui/toast.tsx';
import type { PeopleList } from './list.ts';
import type { Person } from './person.ts';

const itemsMax = 1_000;

interface Changed {
  done: Set<string>;
  /** Contacts that Roster could not change, mostly because they are gone. */
  failed: Set<string>;
  /** Why the others were not changed. */
  error?: Error;
}

/** Changes as many as there are, a thousand in a request, until a request fails. */
async function bulk(chatbotId: string, items: readonly BulkItem[]): Promise<Changed> {
  const [done, failed] = [new Set<string>(), new Set<string>()];
  for (let from = 0; from < items.length; from += itemsMax) {
    const some = items.slice(from, from + itemsMax);
    try {
      const { results } = await patiently(() => roster.bulkContacts({ chatbotId, items: some }));
      for (const { index, outcome } of results) (outcome === 'failed' ? failed : done).add(some[index]?.id ?? '');
    } catch (error) {
      return { done, failed, error: error as Error };
    }
  }
  return { done, failed };
}

export function counted(count: number): string {
  return count === 1 ? '1 contact' : `${count.toLocaleString()} contacts`;
}

interface Deletion {
  list: PeopleList;
  chatbotId: string;
  ids: ReadonlySet<string>;
  /** Whether there is no bin to put them into. */
  isFinal: boolean;
}

/** They leave the list at once, and come back where it fails or is undone. */
export async function deletePeople({ list, chatbotId, ids, isFinal }: Deletion): Promise<void> {
  const putBack = list.remove(ids);
  const items = [...ids].map((id) => ({ op: 'delete' as const, id }));
  const { done: deleted, failed, error } = await bulk(chatbotId, items);
  if (isAnswerLost(error)) {
    toast('Roster cannot tell who was deleted. Look at the list before you try again.');
    list.reload();
  } else if (error) {
    putBack(without(without(ids, deleted), failed));
    toast(`${deleted.size === 0 ? 'Nobody was deleted.' : 'The others were not deleted.'} ${messageOf(error)}`);
  }
  if (failed.size > 0) toast(`${counted(failed.size)} were gone already.`);
  if (deleted.size === 0) return;
  if (isFinal) {
    toast(`${counted(deleted.size)} deleted for good`);
    return;
  }
  const undo = () => void restorePeople(chatbotId, deleted).then((back) => putBack(back));
  toast({ text: `${counted(deleted.size)} moved to the bin`, action: { label: 'Undo', run: undo } });
}

/** Takes people out of the bin, a few at a time. Returns the ids of those who are back, and tells of the others. */
export async function restorePeople(chatbotId: string, ids: ReadonlySet<string>): Promise<Set<string>> {
  const restore = (contactId: string) => patiently(() => roster.restoreContact({ chatbotId, contactId }));
  const failed = await forEachOf([...ids], restore);
  const back = without(ids, new Set(failed.map(({ item }) => item)));
  if (back.size > 0) toast(`${counted(back.size)} restored`);
  if (failed.length > 0) {
    toast(`${counted(failed.length)} could not be restored: not in the bin any more, or the external id is taken.`);
  }
  return back;
}

/** Adds a tag to those who are selected, or removes it. Throws where it could not reach them all. */
export async function tagPeople(
  list: PeopleList,
  chatbotId: string,
  change: { add: readonly string[]; remove: readonly string[] },
): Promise<void> {
  const items = [...list.selected].map((id) => ({ op: 'update' as const, id, properties: { tags: change } }));
  const { done, error } = await bulk(chatbotId, items);
  list.change((person) => (done.has(person.id) ? tagged(person, change) : person));
  if (isAnswerLost(error)) {
    toast('Roster cannot tell whose tags were changed. Look at the list before you try again.');
    list.reload();
    return;
  }
  const [tag = ''] = [...change.add, ...change.remove];
  const deed = change.add.length > 0 ? `Added the tag “${tag}” to` : `Removed the tag “${tag}” from`;
  if (!error || done.size > 0) toast(`${deed} ${counted(done.size)}`);
  if (error) throw error;
}

function tagged(person: Person, { add, remove }: { add: readonly string[]; remove: readonly string[] }): Person {
  const tags = [...new Set([...person.tags, ...add])].filter((tag) => !remove.includes(tag)).toSorted();
  return { ...person, tags };
}

function without(ids: ReadonlySet<string>, others: ReadonlySet<string>): Set<string> {
  return new Set([...ids].filter((id) => !others.has(id)));
}

import { api } from '../../api.ts';
import { forEachOf, patiently } from '../../patience.ts';
import { messageOf } from '../../ui/failed.tsx';
import { toast } from '../../ui/toast.tsx';
import type { PeopleList } from './list.ts';
import type { Person } from './person.ts';

interface BulkAnswer {
  results: { index: number; outcome: string; id?: string; message?: string }[];
}

interface Item {
  op: 'delete' | 'update';
  id: string;
  properties?: object;
}

const itemsMax = 1_000;

/** Changes as many as there are, a thousand in a request. Returns the ids of those that were changed. */
async function bulk(chatbotId: string, items: readonly Item[]): Promise<Set<string>> {
  const done = new Set<string>();
  for (let from = 0; from < items.length; from += itemsMax) {
    const some = items.slice(from, from + itemsMax);
    const path = `/chatbots/${encodeURIComponent(chatbotId)}/contacts/bulk`;
    const { results } = await patiently(() => api.post<BulkAnswer>(path, { body: { items: some } }));
    for (const { index, outcome } of results) if (outcome !== 'failed') done.add(some[index]?.id ?? '');
  }
  return done;
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
  let deleted: Set<string>;
  try {
    deleted = await bulk(chatbotId, items);
  } catch (error) {
    putBack();
    toast(`Nobody was deleted. ${messageOf(error as Error)}`);
    return;
  }
  const kept = without(ids, deleted);
  if (kept.size > 0) toast(`${counted(kept.size)} were gone already.`);
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
  const pathOf = (id: string) =>
    `/chatbots/${encodeURIComponent(chatbotId)}/contacts/${encodeURIComponent(id)}/restore`;
  const failed = await forEachOf([...ids], (id) => patiently(() => api.post(pathOf(id))));
  const back = without(ids, new Set(failed.map(({ item }) => item)));
  if (back.size > 0) toast(`${counted(back.size)} restored`);
  if (failed.length > 0) {
    toast(`${counted(failed.length)} could not be restored: not in the bin any more, or the external id is taken.`);
  }
  return back;
}

/** Gives people a tag, or takes it from them. */
export async function tagPeople(
  list: PeopleList,
  chatbotId: string,
  change: { add: readonly string[]; remove: readonly string[] },
): Promise<void> {
  const items = [...list.selected].map((id) => ({ op: 'update' as const, id, properties: { tags: change } }));
  const done = await bulk(chatbotId, items);
  list.change((person) => (done.has(person.id) ? tagged(person, change) : person));
  const [tag = ''] = [...change.add, ...change.remove];
  const deed = change.add.length > 0 ? `The tag “${tag}” was given to` : `The tag “${tag}” was taken from`;
  toast(`${deed} ${counted(done.size)}`);
}

function tagged(person: Person, { add, remove }: { add: readonly string[]; remove: readonly string[] }): Person {
  const tags = [...new Set([...person.tags, ...add])].filter((tag) => !remove.includes(tag)).toSorted();
  return { ...person, tags };
}

function without(ids: ReadonlySet<string>, others: ReadonlySet<string>): Set<string> {
  return new Set([...ids].filter((id) => !others.has(id)));
}

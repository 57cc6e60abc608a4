import { roster } from '../../api.ts';
import { forEachOf, isAnswerLost, patiently, type Patience } from '../../patience.ts';
import type { ContactProperties } from '../../types.ts';
import { messageOf } from '../../ui/failed.tsx';
import { toast } from '../../ui/toast.tsx';
import { type Change, changeAll, type Outcome } from './bulk.ts';
import type { PeopleList } from './list.ts';
import type { Include } from './loaded.ts';
import { keyOf, type Person, type Place } from './person.ts';
import { peopleOf, selectionOf, sizeOf } from './walk.ts';

export function counted(count: number): string {
  return count === 1 ? '1 contact' : `${count.toLocaleString()} contacts`;
}

/** Those who are picked leave the list at once, and come back where it fails or is undone. */
export async function deleteSelected(list: PeopleList, isFinal: boolean): Promise<void> {
  const { everything } = list;
  const deleted = new Map<string, Place>();
  const changeOf = (person: Person): Change => {
    deleted.set(keyOf(person), person);
    return { item: { op: 'delete', id: person.id } };
  };
  const picked = new Set(list.selected.keys());
  const whom = selectionOf(list);
  const people = (patience: Patience) => ('query' in whom ? peopleOf(whom, ['tags'], patience) : [[...whom.values()]]);
  const plan = { label: 'Deleting', total: sizeOf(list), people, changeOf };
  const putBack = everything ? undefined : list.remove(picked);
  const outcome = await changeAll(list, plan);
  const { done, error } = outcome;
  if (isAnswerLost(error)) {
    toast('Roster cannot tell who was deleted. Check the list before you retry.');
    list.reload();
  } else {
    if (error || outcome.isStopped) putBack?.(new Set([...picked].filter((key) => !done.has(key))));
    if (everything) list.select(new Map());
    tellRest(outcome, 'deleted');
  }
  if (everything) list.reload();
  if (done.size === 0) return;
  if (isFinal) {
    toast(`${counted(done.size)} deleted for good`);
    return;
  }
  const places = [...deleted].flatMap(([key, place]) => (done.has(key) ? [place] : []));
  const undo = async () => {
    const back = await restorePeople(places);
    if (putBack) putBack(back);
    else list.reload();
  };
  const action = { label: 'Undo', run: () => void undo() };
  toast({ text: `${counted(done.size)} moved to the bin`, action, isLasting: done.size > 1 });
}

const restore = ({ chatbot_id: chatbotId, id: contactId }: Place) =>
  patiently(() => roster.restoreContact({ chatbotId, contactId }));

/** Takes people out of the bin, a few at a time. Returns the keys of those who are back, and tells of the others. */
export async function restorePeople(places: readonly Place[]): Promise<Set<string>> {
  const failed = await forEachOf(places, restore);
  const gone = new Set(failed.map(({ item }) => keyOf(item)));
  const back = new Set(places.map(keyOf).filter((key) => !gone.has(key)));
  if (back.size > 0) toast(`${counted(back.size)} restored`);
  if (failed.length > 0) {
    toast(`${counted(failed.length)} could not be restored: not in the bin any more, or the external id is taken.`);
  }
  return back;
}

interface Edit {
  label: string;
  include: Include;
  /** What to write; undefined where it is so already. */
  propertiesOf: (person: Person) => ContactProperties | undefined;
  /** What takes it back. */
  formerOf: (person: Person) => ContactProperties;
  after: (person: Person) => Person;
  /** `Added the tag “vip” to`. */
  deed: string;
}

/** Changes everybody who is selected, tells what came of it, and offers to undo it. */
export async function editSelected(list: PeopleList, edit: Edit): Promise<void> {
  const { label, include, after, deed } = edit;
  const changeOf = (person: Person): Change | undefined => {
    const properties = edit.propertiesOf(person);
    if (!properties) return undefined;
    const op = 'update' as const;
    return { item: { op, id: person.id, properties }, undo: { op, id: person.id, properties: edit.formerOf(person) } };
  };
  const whom = selectionOf(list);
  const people = (patience: Patience) => peopleOf(whom, include, patience);
  const plan = { label, total: sizeOf(list), people, changeOf, after };
  const outcome = await changeAll(list, plan);
  list.grewOld();
  const { done, error } = outcome;
  if (isAnswerLost(error)) {
    toast('Roster cannot tell who was changed. Check the list before you retry.');
    list.reload();
    return;
  }
  tellRest(outcome, 'changed');
  const isNothing = done.size === 0 && outcome.failed === 0 && !error && !outcome.isStopped;
  if (isNothing) toast('Nothing had to be changed');
  const action = { label: 'Undo', run: () => void undo(list, outcome) };
  if (done.size > 0) toast({ text: `${deed} ${counted(done.size)}`, action, isLasting: done.size > 1 });
}

/** Takes a change back, from those whom it changed. */
async function undo(list: PeopleList, { undo: changes }: Outcome): Promise<void> {
  const outcome = await changeAll(list, {
    label: 'Undoing',
    total: { value: changes.length, isExact: true },
    people: () => [changes.map(({ place, item }) => Object.assign(place, { item }))],
    changeOf: ({ item }) => ({ item }),
  });
  list.reloadInPlace();
  if (outcome.done.size === changes.length) toast('Undone');
  else tellRest(outcome, 'changed back');
}

function tellRest({ done, failed, reason, isStopped, error }: Outcome, verb: string): void {
  const rest = done.size === 0 ? `Nobody was ${verb}.` : `The others were not ${verb}.`;
  if (error) toast(`${rest} ${messageOf(error)}`);
  else if (isStopped) toast(`Stopped. ${rest}`);
  if (failed > 0) toast(`${counted(failed)} could not be ${verb}: ${reason}.`);
}

/** Adds a tag to everybody who is selected, or removes it. */
export function tagSelected(list: PeopleList, tag: string, isAdded: boolean): Promise<void> {
  const change = (isMore: boolean) => ({ tags: isMore ? { add: [tag] } : { remove: [tag] } });
  return editSelected(list, {
    label: 'Tagging',
    include: ['tags'],
    propertiesOf: ({ tags }) => (tags.includes(tag) === isAdded ? undefined : change(isAdded)),
    formerOf: () => change(!isAdded),
    after: (person) => {
      const others = person.tags.filter((one) => one !== tag);
      return { ...person, tags: isAdded ? [...others, tag].toSorted() : others };
    },
    deed: isAdded ? `Added the tag “${tag}” to` : `Removed the tag “${tag}” from`,
  });
}

import { roster } from '../../api.ts';
import { forEachOf, isAnswerLost, patiently } from '../../patience.ts';
import { toast } from '../../ui/toast.tsx';
import { type Change, changeAll, type Properties } from './bulk.ts';
import type { PeopleList } from './list.ts';
import { keyOf, type Person, type Place } from './person.ts';
import { counted } from './view.ts';
import { peopleOf } from './walk.ts';

/** Those who are picked leave the list at once, and come back where it fails or is undone. */
export async function deleteSelected(list: PeopleList, isFinal: boolean): Promise<void> {
  const { everything, selected, whom, size: total } = list;
  const putBack = everything ? undefined : list.remove(new Set(selected.keys()));
  const { done, error } = await changeAll(list, {
    label: 'Deleting',
    verb: 'deleted',
    total,
    people: (patience) => (everything ? peopleOf(whom, patience) : [[...selected.values()]]),
    changeOf: ({ chatbot_id, id }) => ({ chatbot_id, id }),
  });
  if (error && !isAnswerLost(error)) putBack?.(new Set(selected.keys()).difference(new Set(done.map(keyOf))));
  if (everything) {
    list.select();
    list.reload();
  }
  if (done.length === 0) return;
  if (isFinal) {
    toast(`${counted(done.length)} deleted for good`);
    return;
  }
  const undo = async () => {
    const back = await restorePeople(done);
    if (putBack) putBack(back);
    else list.reload();
  };
  offerUndo(`${counted(done.length)} moved to the bin`, done, undo);
}

function offerUndo(text: string, { length }: readonly Change[], undo: () => Promise<unknown>): void {
  toast({ text, action: { label: 'Undo', run: () => void undo() }, isLasting: length > 1 });
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
  /** What to write; undefined where it is so already. */
  propertiesOf: (person: Person) => Properties | undefined;
  /** `Added the tag “vip” to`. */
  deed: string;
}

/** Changes everybody who is selected, tells what came of it, and offers to undo it. */
export async function editSelected(list: PeopleList, { propertiesOf, deed }: Edit): Promise<void> {
  const { done, failed, error } = await changeAll(list, {
    label: 'Changing',
    verb: 'changed',
    total: list.size,
    people: (patience) => peopleOf(list.whom, patience),
    changeOf: (person) => {
      const { chatbot_id, id } = person;
      const properties = propertiesOf(person);
      return properties && { chatbot_id, id, properties, former: formerOf(person, properties) };
    },
  });
  list.grewOld();
  if (done.length > 0) offerUndo(`${deed} ${counted(done.length)}`, done, () => undo(list, done));
  else if (failed === 0 && !error) toast('Nothing had to be changed');
}

/** Undoes a change of contacts, except where somebody has changed them since. */
async function undo(list: PeopleList, changes: readonly Change[]): Promise<void> {
  const made = new Map(changes.map((one) => [keyOf(one), one]));
  const { done, failed, error } = await changeAll<Place>(list, {
    label: 'Undoing',
    verb: 'changed back',
    total: { value: changes.length, isExact: true },
    people: (patience) => (changes[0]?.properties?.tags ? [changes] : peopleOf(made, patience)),
    changeOf: (one) => {
      const { properties, former, chatbot_id = '', id = '' } = made.get(keyOf(one)) ?? {};
      return properties && former && isStill(one, properties) ? { chatbot_id, id, properties: former } : undefined;
    },
  });
  list.grewOld();
  if (failed > 0 || error) return;
  const isWhole = done.length === changes.length;
  toast(isWhole ? 'Undone' : `Undone for ${counted(done.length)}. Somebody has changed the others since.`);
}

/** Whether somebody still has what a change wrote. One tag takes no other away. */
function isStill(one: Partial<Person>, { tags, attributes, ...fields }: Properties): boolean {
  const [written, now] = attributes ? [attributes, one.attributes] : [fields, one];
  return tags !== undefined || JSON.stringify(formerly(written, now)) === JSON.stringify(written);
}

const names: ReadonlySet<string> = new Set(['name', 'first_name', 'last_name']);

/** Properties that undo a change. A name and its parts change one another: restore the parts if they make up the name. */
function formerOf(person: Person, { tags, attributes, ...fields }: Properties): Properties {
  if (tags) return { tags: { add: tags.remove ?? [], remove: tags.add ?? [] } };
  if (attributes) return { attributes: formerly(attributes, person.attributes) };
  if (!Object.keys(fields).some((name) => names.has(name))) return formerly(fields, person);
  const { name, first_name: first = null, last_name: last = null } = person;
  const joined = [first, last].filter((part) => part !== null).join(' ');
  return joined !== '' && joined === name ? { first_name: first, last_name: last } : { name };
}

function formerly<Values extends object>(now: Values, before: Partial<Values> = {}): Values {
  const former = (name: string) => before[name as keyof Values] ?? null;
  return Object.fromEntries(Object.keys(now).map((name) => [name, former(name)])) as Values;
}

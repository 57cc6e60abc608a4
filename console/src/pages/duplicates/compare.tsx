import { roster } from '../../api.ts';
import { useQuery } from '../../query.ts';
import { useSession } from '../../session.tsx';
import { Button } from '../../ui/button.tsx';
import { ErrorNote, NotLoaded } from '../../ui/failed.tsx';
import { Check } from '../../ui/field.tsx';
import { useKeys } from '../../ui/keys.ts';
import { dayOf } from '../../ui/time.tsx';
import { toast } from '../../ui/toast.tsx';
import { useAction } from '../../use-action.ts';
import { labelOf } from '../contact/fields.ts';
import { undoMerge } from '../contact/merges-card.tsx';
import { valueIn } from '../contact/values.ts';
import { titleOf, type WholePerson, wholeInclude } from '../contacts/person.ts';
import { changeList } from '../contacts/use-list.ts';
import { contactAddress } from '../contacts/view.ts';
import { knownIn, useChoices } from './choices.ts';
import type { Group } from './groups.ts';

interface CompareProps {
  group: Group;
  /** The group is no longer one. */
  onSettled: () => void;
}

/** The contacts of a group side by side, as they are now. */
export function Compare(props: CompareProps) {
  const { chatbotId, contacts, key } = props.group;
  const ids = contacts.map(({ id }) => id);
  const { data, error, reload } = useQuery(['contacts', 'compared', key], (signal) =>
    roster.lookUpContacts({ chatbotId, ids, include: wholeInclude }, { signal }),
  );
  if (!data) return <NotLoaded error={error} retry={reload} />;
  const people = data.contacts as WholePerson[];
  // Somebody may have merged or deleted one of them meanwhile.
  if (people.length < 2) return <p class="soft group-end">These contacts are no duplicates any more.</p>;
  return <Sides key={people.length} {...props} people={people} />;
}

interface CellProps {
  choices: ReturnType<typeof useChoices>;
  person: WholePerson;
}

function Sides({ group, people, onSettled }: CompareProps & { people: readonly WholePerson[] }) {
  const choices = useChoices(group, people);
  return (
    <>
      <div class="compare" role="region" aria-label="Side by side" tabIndex={0}>
        <table class="table">
          <thead>
            <tr>
              <th scope="col">Stays</th>
              {people.map((person) => (
                <th key={person.id} scope="col">
                  <Head choices={choices} person={person} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {knownIn(people).map((field) => (
              <tr key={field}>
                <th scope="row">{labelOf(field)}</th>
                {people.map((person) => (
                  <td key={person.id}>
                    <Value choices={choices} person={person} field={field} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {choices.mayWrite && <Decide choices={choices} onSettled={onSettled} />}
    </>
  );
}

function Decide({ choices, onSettled }: Pick<CellProps & CompareProps, 'choices' | 'onSettled'>) {
  const { merge, isReady, ids, plan } = choices;
  const { chatbotId } = merge;
  const { bin_days: binDays } = useSession();
  const mergeAll = useAction(async () => {
    if (!isReady) return;
    const { merge_id: id, undo_until: until } = await roster.mergeContacts(merge);
    changeList(merge.from.map((one) => ({ chatbot_id: chatbotId, id: one })));
    const run = () => void undoMerge(chatbotId, id ?? '').catch(() => toast('The merge could not be undone'));
    toast({ text: 'Merged into one contact', ...(until !== null && { action: { label: 'Undo', run } }) });
    onSettled();
  });
  const dismiss = useAction(async () => {
    await roster.dismissDuplicates({ chatbotId, contact_ids: ids });
    toast('They are not suggested together again');
    onSettled();
  });
  useKeys([
    { keys: 'm', label: 'Merge the group', run: () => void mergeAll.run() },
    { keys: 'd', label: 'Not the same person', run: () => void dismiss.run() },
  ]);
  const isLost = plan.data !== undefined && plan.data.lost.length > 0;
  return (
    <div class="row group-end">
      <Button kind="primary" disabled={!isReady} isBusy={mergeAll.isBusy} onClick={() => void mergeAll.run()}>
        Merge
      </Button>
      <Button isBusy={dismiss.isBusy} onClick={() => void dismiss.run()}>
        Not the same person
      </Button>
      <span class="soft small">
        {!isReady && 'Tick those who are the same person.'}
        {isLost && 'Values that are struck out are lost.'}
        {binDays === 0 && ' A merge cannot be undone here.'}
      </span>
      <ErrorNote error={mergeAll.error ?? dismiss.error ?? plan.error} />
    </div>
  );
}

function Head({ choices, person }: CellProps) {
  const { mayWrite, merge, setStays, ids, isIn, setSame } = choices;
  const { id } = person;
  const isStaying = id === merge.contactId;
  const title = titleOf(person);
  return (
    <>
      <span class="check">
        {mayWrite && (
          <input
            type="radio"
            name="stays"
            checked={isStaying}
            aria-label={`Keep ${title}`}
            onChange={() => setStays(id)}
          />
        )}
        <a href={contactAddress(merge.chatbotId, id)} dir="auto">
          {title}
        </a>
      </span>
      <time dateTime={person.created_at}>Created {dayOf(new Date(person.created_at))}</time>
      {mayWrite && ids.length > 2 && !isStaying && (
        <Check
          label="The same person"
          isOn={isIn(id)}
          onChange={(isOn) => setSame(ids.filter((one) => (one === id ? isOn : isIn(one))))}
        />
      )}
    </>
  );
}

function Value({ choices, person, field }: CellProps & { field: string }) {
  const { people, merge, isReady, isIn, setKeep, plan } = choices;
  const { taken = {}, lost = [] } = plan.data ?? {};
  const { id } = person;
  const value = valueIn(person, field);
  const isLost = lost.some((one) => one.field === field && one.contact_id === id);
  const text = isLost ? <s dir="auto">{value}</s> : <span dir="auto">{value}</span>;
  const values = new Set(people.map((one) => valueIn(one, field)).filter(Boolean));
  // Tags are joined.
  const isChoice = values.size > 1 && field !== 'tags';
  if (!isReady || !isChoice || value === '' || !isIn(id)) return text;
  const winner = merge.keep[field] ?? taken[field] ?? merge.contactId;
  return (
    <label class="check">
      <input
        type="radio"
        name={field}
        checked={winner === id}
        onChange={() => setKeep({ ...merge.keep, [field]: id })}
      />
      {text}
    </label>
  );
}

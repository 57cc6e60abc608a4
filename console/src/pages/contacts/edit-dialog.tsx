import { useId, useState } from 'preact/hooks';

import { useQuery } from '../../query.ts';
import { Check, SelectField, TextField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form.tsx';
import { useAction } from '../../use-action.ts';
import { fieldNames, fields, labelOf, type TextField as FieldName } from '../contact/fields.ts';
import { editSelected } from './changing.ts';
import type { PeopleList } from './list.ts';
import { type AttributeValue, keyOf, type Person } from './person.ts';
import { byKey } from './selection.ts';
import { ValueField } from './value-field.tsx';
import { totalText } from './view.ts';
import { peopleOf } from './walk.ts';

/** An external id is unique in its chatbot. */
const editable = fieldNames.filter((name) => name !== 'external_id');
const attribute = 'attribute';
/** Their values repeat. */
const suggested = new Set(['company', 'job_title', 'industry', 'city', 'state', 'country']);
const shownMax = 3;

/** Writes one value into a field of everybody who is selected; it shows three of them first. */
export function EditDialog({ list, onClose }: { list: PeopleList; onClose: () => void }) {
  const [field, setField] = useState<string>('company');
  const [name, setName] = useState('');
  const [text, setText] = useState('');
  const [isCleared, clear] = useState(false);
  const isAttribute = field === attribute;
  const label = isAttribute ? name.trim() : labelOf(field);
  const value = isCleared ? null : text.trim();
  const formerOf = (person: Person) => (isAttribute ? person.attributes?.[label] : person[field as FieldName]);
  const valueOf = (person: Person) => String(formerOf(person) ?? '');
  const action = useAction(async () => {
    onClose();
    await editSelected(list, {
      propertiesOf: (person) => {
        if (valueOf(person) === (value ?? '')) return undefined;
        return isAttribute ? { attributes: { [label]: like(formerOf(person), value) } } : { [field]: value };
      },
      deed: `${value === null ? 'Cleared' : 'Set'} ${label} for`,
    });
  });
  const info = isAttribute ? undefined : fields[field as FieldName];
  return (
    <FormDialog
      title={`Edit a field of ${totalText(list.size)}`}
      noValidate
      action={action}
      verb="Save"
      isReady={value !== '' && label !== ''}
      onClose={onClose}
    >
      <SelectField
        label="Field"
        value={field}
        choices={[...editable.map((one) => [one, labelOf(one)] as const), [attribute, 'An attribute…'] as const]}
        onValue={setField}
      />
      {isAttribute && (
        <ValueField
          label="Name of the attribute"
          field="attributes"
          value={name}
          onValue={setName}
          hint="Lowercase letters, digits and _."
        />
      )}
      {!isCleared && suggested.has(field) && (
        <ValueField key={field} label="New value" field={field} value={text} onValue={setText} />
      )}
      {!isCleared && !suggested.has(field) && (
        <TextField
          label="New value"
          type={info?.type}
          value={text}
          onValue={setText}
          maxLength={info?.lengthMax ?? 1_000}
          hint={info?.hint}
        />
      )}
      <Check label="Clear the field instead" isOn={isCleared} onChange={clear} />
      <Preview list={list} valueOf={valueOf} next={value} />
    </FormDialog>
  );
}

/** A number stays a number, and true or false stays so. */
function like(former: AttributeValue | null | undefined, value: string | null): AttributeValue | null {
  if (typeof former === 'number' && value !== null && Number.isFinite(Number(value))) return Number(value);
  return typeof former === 'boolean' && (value === 'true' || value === 'false') ? value === 'true' : value;
}

interface PreviewProps {
  list: PeopleList;
  valueOf: (person: Person) => string;
  next: string | null;
}

/** Three of those who will be changed: what is there, and what will be. */
function Preview({ list, valueOf, next }: PreviewProps) {
  const id = useId();
  const first = list.everything ? list.rows : [...list.selected.values()];
  const { data: people } = useQuery(['contacts', 'preview', id], async (signal) => {
    const pages = await Array.fromAsync(peopleOf(byKey(first.slice(0, shownMax)), { signal }));
    return pages.flat();
  });
  if (!people || next === '') return null;
  const rest = list.size.value - people.length;
  return (
    <div class="edit-preview stack tight well small">
      {people.map((person) => (
        <p key={keyOf(person)} class="row tight">
          <strong>
            <bdi>{person.name ?? person.email ?? 'No name'}</bdi>
          </strong>
          <span class="soft">
            <del dir="auto">{valueOf(person) || 'Empty'}</del> → <ins dir="auto">{next ?? 'Empty'}</ins>
          </span>
        </p>
      ))}
      {rest > 0 && <p class="soft small">and {rest.toLocaleString()} more</p>}
    </div>
  );
}

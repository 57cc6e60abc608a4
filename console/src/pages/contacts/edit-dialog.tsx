import { useId, useState } from 'preact/hooks';

import { useQuery } from '../../query.ts';
import type { ContactProperties } from '../../types.ts';
import { Check, SelectField, TextField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form.tsx';
import { useAction } from '../../use-action.ts';
import { fieldNames, fields, labelOf, type TextField as FieldName } from '../contact/fields.ts';
import { editSelected } from './changing.ts';
import type { PeopleList } from './list.ts';
import { type AttributeValue, keyOf, type Person } from './person.ts';
import { totalText } from './status.tsx';
import { ValueField } from './value-field.tsx';
import { askFor } from './view.ts';
import { peopleOf, selectionOf, sizeOf } from './walk.ts';

/** An external id is unique in its chatbot. */
const editable = fieldNames.filter((name) => name !== 'external_id');
const names: ReadonlySet<string> = new Set(['name', 'first_name', 'last_name']);
const attribute = 'attribute';
/** Their values repeat. */
const suggested = new Set(['company', 'job_title', 'industry', 'city', 'state', 'country']);
const shownMax = 3;
const include = ['tags', 'details', 'attributes'] as const;

/** Writes one value into a field of everybody who is selected; it shows three of them first. */
export function EditDialog({ list, onClose }: { list: PeopleList; onClose: () => void }) {
  const [field, setField] = useState<string>('company');
  const [name, setName] = useState('');
  const [text, setText] = useState('');
  const [isCleared, clear] = useState(false);
  const isAttribute = field === attribute;
  const value = isCleared ? null : text.trim();
  const edit = isAttribute ? attributeEdit(name.trim(), value) : fieldEdit(field as FieldName, value);
  const action = useAction(async () => {
    onClose();
    await editSelected(list, {
      label: 'Editing',
      include,
      propertiesOf: (person) => (edit.valueOf(person) === (value ?? '') ? undefined : edit.propertiesOf(person)),
      formerOf: edit.formerOf,
      after: edit.after,
      deed: `${value === null ? 'Cleared' : 'Set'} ${edit.label} for`,
    });
  });
  const info = isAttribute ? undefined : fields[field as FieldName];
  return (
    <FormDialog
      title={`Edit a field of ${totalText(sizeOf(list))}`}
      noValidate
      action={action}
      verb="Save"
      isReady={value !== '' && (!isAttribute || name.trim() !== '')}
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
          chatbotId=""
          value={name}
          onValue={setName}
          hint="Small letters, digits and _."
        />
      )}
      {!isCleared && suggested.has(field) && (
        <ValueField key={field} label="New value" field={field} chatbotId="" value={text} onValue={setText} />
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
      <Preview list={list} valueOf={edit.valueOf} next={value} />
    </FormDialog>
  );
}

interface Edit {
  label: string;
  propertiesOf: (person: Person) => ContactProperties;
  valueOf: (person: Person) => string;
  formerOf: (person: Person) => ContactProperties;
  after: (person: Person) => Person;
}

function fieldEdit(name: FieldName, value: string | null): Edit {
  return {
    label: labelOf(name),
    propertiesOf: () => ({ [name]: value }),
    valueOf: (person) => person[name] ?? '',
    formerOf: (person) => (names.has(name) ? formerName(person) : { [name]: person[name] ?? null }),
    after: (person) => ({ ...person, [name]: value }),
  };
}

/** A name and its parts change one another: given are the parts if they make the name, else the name. */
function formerName({ name, first_name: first = null, last_name: last = null }: Person): ContactProperties {
  const joined = [first, last].filter((part) => part !== null).join(' ');
  return joined !== '' && joined === name ? { first_name: first, last_name: last } : { name };
}

function attributeEdit(name: string, value: string | null): Edit {
  // A number stays a number, and true or false stays so.
  const like = (former: AttributeValue | undefined) => {
    if (typeof former === 'number' && value !== null && value !== '' && Number.isFinite(Number(value)))
      return Number(value);
    if (typeof former === 'boolean' && (value === 'true' || value === 'false')) return value === 'true';
    return value;
  };
  return {
    label: name,
    propertiesOf: ({ attributes }) => ({ attributes: { [name]: like(attributes?.[name]) } }),
    valueOf: ({ attributes }) => String(attributes?.[name] ?? ''),
    formerOf: ({ attributes }) => ({ attributes: { [name]: attributes?.[name] ?? null } }),
    after: (person) => person,
  };
}

interface PreviewProps {
  list: PeopleList;
  valueOf: (person: Person) => string;
  next: string | null;
}

/** Three of those who will be changed: what is there, and what will be. */
function Preview({ list, valueOf, next }: PreviewProps) {
  const id = useId();
  const { data: people } = useQuery(['contacts', 'preview', id], async (signal) => {
    const shown: Person[] = [];
    for await (const page of peopleOf(selectionOf(list), include, { signal }, askFor)) {
      shown.push(...page.slice(0, shownMax - shown.length));
      if (shown.length === shownMax) break;
    }
    return shown;
  });
  if (!people || next === '') return null;
  const rest = sizeOf(list).value - people.length;
  return (
    <div class="edit-preview">
      {people.map((person) => (
        <p key={keyOf(person)}>
          <bdi class="edit-who">{person.name ?? person.email ?? 'No name'}</bdi>
          <span class="soft">
            <del dir="auto">{valueOf(person) || 'Empty'}</del> → <ins dir="auto">{next ?? 'Empty'}</ins>
          </span>
        </p>
      ))}
      {rest > 0 && <p class="soft small">and {rest.toLocaleString()} more</p>}
    </div>
  );
}

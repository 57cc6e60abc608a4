import { useState } from 'preact/hooks';

import { Button } from '../../ui/button.tsx';
import { type Choice, SelectField, sentence } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { attributePrefix, type Chip, fieldLabel } from './chips.ts';
import { Popup } from './popup.tsx';
import { ValueField } from './value-field.tsx';

const ofValues = ['tags', 'company', 'job_title', 'industry', 'city', 'state', 'country'];
const onlyKnown = ['name', 'email', 'phone'];
const days = ['created_at', 'updated_at'];
const attribute = 'attributes';

const choices: readonly Choice[] = [
  ...ofValues.map((field) => [field, fieldLabel(field)] as const),
  [attribute, 'Attribute'],
  ...[...onlyKnown, ...days].map((field) => [field, fieldLabel(field)] as const),
];
type Kind = 'is' | 'known' | 'unknown';
const conditions: readonly Choice<Kind>[] = [
  ['is', 'is'],
  ['known', 'is known'],
  ['unknown', 'is not known'],
];

interface FilterMenuProps {
  chatbotId: string;
  onAdd: (chip: Chip) => void;
}

/** A button that asks for one more condition. */
export function FilterMenu({ chatbotId, onAdd }: FilterMenuProps) {
  return (
    <Popup label="Filter" icon="filter" class="chip filter-open">
      {(close) => (
        <FilterForm
          chatbotId={chatbotId}
          onAdd={(chip) => {
            close();
            onAdd(chip);
          }}
        />
      )}
    </Popup>
  );
}

/** What was filtered by last is likely to be next. */
let last = 'tags';

function FilterForm({ chatbotId, onAdd }: FilterMenuProps) {
  const [field, setField] = useState(last);
  const [kind, setKind] = useState<Kind>('is');
  const [name, setName] = useState('');
  const [text, setText] = useState('');
  const [range, setRange] = useState({ from: '', until: '' });
  const isDays = days.includes(field);
  const isKnownOnly = onlyKnown.includes(field);
  const isValue = !isDays && !isKnownOnly && kind === 'is';
  const isField = field !== attribute || /^[a-z][a-z0-9_]{0,39}$/.test(name.trim());
  const wholeField = field === attribute ? attributePrefix + name.trim() : field;
  /** Undefined until it is ready. */
  const chipOf = (value: string): Chip | undefined => {
    if (isDays) return range.from + range.until === '' ? undefined : { field, ...range };
    if (!isField || (isValue && value === '')) return undefined;
    if (!isValue) return { field: wholeField, known: kind !== 'unknown' };
    return { field: wholeField, is: field === 'tags' ? value.toLowerCase() : value };
  };
  const add = (value: string) => {
    const chip = chipOf(value);
    if (!chip) return;
    last = field;
    onAdd(chip);
  };
  return (
    <Form class="stack" perform={() => add(text.trim())}>
      <SelectField label="Field" value={field} choices={choices} onValue={setField} />
      {field === attribute && (
        <ValueField
          label="Name of the attribute"
          field="attributes"
          chatbotId={chatbotId}
          value={name}
          onValue={setName}
        />
      )}
      {!isDays && (
        <SelectField
          label="Condition"
          value={isKnownOnly && kind === 'is' ? 'known' : kind}
          choices={isKnownOnly ? conditions.slice(1) : conditions}
          onValue={setKind}
        />
      )}
      {isValue && isField && (
        <ValueField
          key={wholeField}
          label="Value"
          field={wholeField}
          chatbotId={chatbotId}
          value={text}
          onValue={setText}
          onChoose={add}
        />
      )}
      {isDays && (
        <div class="people-days">
          {(['from', 'until'] as const).map((end) => (
            <label key={end} class="field">
              {sentence(end)}
              <input
                class="input"
                type="date"
                max="9998-12-31"
                value={range[end]}
                onInput={(event) => setRange({ ...range, [end]: event.currentTarget.value })}
              />
            </label>
          ))}
        </div>
      )}
      <Button type="submit" kind="primary" disabled={!chipOf(text.trim())}>
        Add filter
      </Button>
    </Form>
  );
}

import { useState } from 'preact/hooks';

import { Button } from '../../ui/button.tsx';
import { type Choice, SelectField, TextField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { attributePrefix, type Chip, type DayField, fieldLabel } from './chips.ts';
import { Popup } from './popup.tsx';

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
  onAdd: (chip: Chip) => void;
}

/** A button that asks for one more condition. */
export function FilterMenu({ onAdd }: FilterMenuProps) {
  return (
    <Popup label="Filter" icon="filter" class="chip filter-open">
      {(close) => (
        <FilterForm
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

function FilterForm({ onAdd }: FilterMenuProps) {
  const [field, setField] = useState(last);
  const [kind, setKind] = useState<Kind>('is');
  const [name, setName] = useState('');
  const [text, setText] = useState('');
  const [range, setRange] = useState({ from: '', until: '' });
  const isDays = days.includes(field);
  const isKnownOnly = onlyKnown.includes(field);
  const isValue = !isDays && !isKnownOnly && kind === 'is';
  const wholeField = field === attribute ? attributePrefix + name.trim() : field;
  const value = text.trim();
  const isReady = (!isValue || value !== '') && (field !== attribute || name.trim() !== '');
  const isRange = range.from !== '' || range.until !== '';
  const add = () => {
    last = field;
    if (isDays) onAdd({ field: field as DayField, ...range });
    else if (isValue) onAdd({ field: wholeField, is: field === 'tags' ? value.toLowerCase() : value });
    else onAdd({ field: wholeField, known: kind !== 'unknown' });
  };
  return (
    <Form class="stack" perform={() => (isDays ? isRange : isReady) && add()}>
      <SelectField label="Field" value={field} choices={choices} onValue={setField} />
      {field === attribute && <TextField label="Name of the attribute" value={name} onValue={setName} maxLength={40} />}
      {!isDays && (
        <SelectField
          label="Condition"
          value={isKnownOnly && kind === 'is' ? 'known' : kind}
          choices={isKnownOnly ? conditions.slice(1) : conditions}
          onValue={setKind}
        />
      )}
      {isValue && <TextField label="Value" value={text} onValue={setText} maxLength={255} />}
      {isDays && <DayFields range={range} onRange={setRange} />}
      <Button type="submit" kind="primary" disabled={isDays ? !isRange : !isReady}>
        Add filter
      </Button>
    </Form>
  );
}

interface Range {
  from: string;
  until: string;
}

function DayFields({ range, onRange }: { range: Range; onRange: (range: Range) => void }) {
  return (
    <div class="people-days">
      {(['from', 'until'] as const).map((end) => (
        <label key={end} class="field">
          {end === 'from' ? 'From' : 'Until'}
          <input
            class="input"
            type="date"
            max="9998-12-31"
            value={range[end]}
            onInput={(event) => onRange({ ...range, [end]: event.currentTarget.value })}
          />
        </label>
      ))}
    </div>
  );
}

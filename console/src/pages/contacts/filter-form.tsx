import { useState } from 'preact/hooks';

import { Button } from '../../ui/button.tsx';
import { type Choice, SelectField, sentence, TextField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { attributePrefix, type Chip, fieldLabel } from './chips.ts';
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

/** `name` is that of an attribute; what was filtered by last is likely to be next. */
let first = { field: 'tags', kind: 'is' as Kind, name: '', text: '', from: '', until: '' };
type Draft = typeof first;

interface FilterFormProps {
  chatbotId: string;
  onAdd: (chip: Chip) => void;
}

/** Asks for one more condition. */
export function FilterForm({ chatbotId, onAdd }: FilterFormProps) {
  const [draft, setDraft] = useState(first);
  const set = (more: Partial<Draft>) => setDraft({ ...draft, ...more });
  const { field, kind, name, text } = draft;
  const isKnownOnly = onlyKnown.includes(field);
  const chip = chipOf(draft);
  const wholeField = wholeFieldOf(draft);
  const add = (given = chip) => {
    if (!given) return;
    first = { ...first, field };
    onAdd(given);
  };
  return (
    <Form class="stack" perform={() => add()}>
      <SelectField label="Field" value={field} choices={choices} onValue={(next) => set({ field: next })} />
      {field === attribute && (
        <ValueField
          label="Name of the attribute"
          field="attributes"
          chatbotId={chatbotId}
          value={name}
          onValue={(next) => set({ name: next })}
        />
      )}
      {!days.includes(field) && (
        <SelectField
          label="Condition"
          value={isKnownOnly && kind === 'is' ? 'known' : kind}
          choices={isKnownOnly ? conditions.slice(1) : conditions}
          onValue={(next) => set({ kind: next })}
        />
      )}
      {days.includes(field) &&
        (['from', 'until'] as const).map((end) => (
          <TextField
            key={end}
            label={sentence(end)}
            type="date"
            max="9998-12-31"
            value={draft[end]}
            onValue={(next) => set({ [end]: next })}
          />
        ))}
      {hasValue(draft) && wholeField !== undefined && (
        <ValueField
          key={wholeField}
          label="Value"
          field={wholeField}
          chatbotId={chatbotId}
          value={text}
          onValue={(next) => set({ text: next })}
          onChoose={(next) => add(chipOf({ ...draft, text: next }))}
        />
      )}
      <Button type="submit" kind="primary" disabled={!chip}>
        Add filter
      </Button>
    </Form>
  );
}

const hasValue = ({ field, kind }: Draft) => ![...days, ...onlyKnown].includes(field) && kind === 'is';

/** Undefined for what cannot be the name of an attribute. */
function wholeFieldOf({ field, name }: Draft): string | undefined {
  if (field !== attribute) return field;
  return /^[a-z][a-z0-9_]{0,39}$/.test(name.trim()) ? attributePrefix + name.trim() : undefined;
}

/** Undefined until it is ready. */
function chipOf(draft: Draft): Chip | undefined {
  const { kind, text, from, until } = draft;
  const field = wholeFieldOf(draft);
  if (field === undefined) return undefined;
  if (days.includes(field)) return from + until === '' ? undefined : { field, from, until };
  if (!hasValue(draft)) return { field, known: kind !== 'unknown' };
  const value = field === 'tags' ? text.trim().toLowerCase() : text.trim();
  return value === '' ? undefined : { field, is: value };
}

import { useEffect, useState } from 'preact/hooks';

import { Button } from '../../ui/button.tsx';
import { Field, SelectField } from '../../ui/field.tsx';
import { countOf, type Filters, noFilters } from './view.ts';

interface FilterRowProps {
  filters: Filters;
  onFilter: (next: Partial<Filters>) => void;
}

export function FilterRow({ filters, onFilter }: FilterRowProps) {
  const isNarrow = countOf(filters) > 0 || filters.sort !== 'date_desc';
  return (
    <div class="people-filters">
      <TagField tag={filters.tag} onTag={(tag) => onFilter({ tag })} />
      <DayField label="Created from" value={filters.after} onDay={(after) => onFilter({ after })} />
      <DayField label="Created until" value={filters.before} onDay={(before) => onFilter({ before })} />
      <SelectField
        label="Order"
        value={filters.sort}
        choices={{ date_desc: 'Newest first', date_asc: 'Oldest first' }}
        onValue={(sort) => onFilter({ sort })}
      />
      {isNarrow && (
        <Button kind="quiet" icon="close" onClick={() => onFilter(noFilters)}>
          Clear
        </Button>
      )}
    </div>
  );
}

/** A tag is whole, so it is looked for when it is written. */
function TagField({ tag, onTag }: { tag: string; onTag: (tag: string) => void }) {
  const [text, setText] = useState(tag);
  useEffect(() => setText(tag), [tag]);
  const clean = text.trim().toLowerCase();
  const give = () => {
    if (clean !== tag && !/[,;|]/.test(clean)) onTag(clean);
  };
  return (
    <Field label="Tag" error={/[,;|]/.test(clean) ? 'must not contain a comma, a semicolon or a bar (|)' : undefined}>
      {(tied) => (
        <input
          {...tied}
          class="input"
          dir="auto"
          maxLength={40}
          autocomplete="off"
          autocapitalize="none"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
          onBlur={give}
          onKeyDown={(event) => {
            if (event.key === 'Enter') give();
          }}
        />
      )}
    </Field>
  );
}

function DayField({ label, value, onDay }: { label: string; value: string; onDay: (day: string) => void }) {
  return (
    <Field label={label}>
      {(tied) => (
        <input
          {...tied}
          class="input"
          type="date"
          max="9998-12-31"
          value={value}
          onChange={(event) => onDay(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

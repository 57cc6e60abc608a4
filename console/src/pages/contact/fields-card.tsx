import { useLayoutEffect, useRef } from 'preact/hooks';

import type { WholePerson } from '../contacts/person.ts';
import { FieldRow } from './field-row.tsx';
import { groups } from './fields.ts';
import type { Saving } from './saving.ts';

interface FieldsCardProps {
  place: string;
  person: WholePerson;
  mayWrite: boolean;
  /** The name of the field that is being edited. */
  edited: string | undefined;
  edit: (name: string | undefined) => void;
  save: Saving['save'];
}

export function FieldsCard({ place, person, mayWrite, edited, edit, save }: FieldsCardProps) {
  const card = useRef<HTMLElement>(null);
  const closed = useRef<string | undefined>(undefined);
  const close = (name: string) => {
    closed.current = name;
    edit(undefined);
  };
  // Not in the next frame: a key pressed before it would go to the page.
  useLayoutEffect(() => {
    if (edited !== undefined || closed.current === undefined) return;
    card.current?.querySelector<HTMLElement>(`[data-field="${closed.current}"] button`)?.focus();
    closed.current = undefined;
  }, [edited]);
  return (
    <section class="card" ref={card} aria-label="Details">
      {groups.map(({ title, names }) => (
        <section key={title} class="detail-group">
          <h2>{title}</h2>
          <div class="details">
            {names.map((name) => (
              <FieldRow
                key={name}
                place={place}
                name={name}
                value={person[name]}
                mayWrite={mayWrite}
                isEdited={edited === name}
                onEdit={() => edit(name)}
                onClose={() => close(name)}
                save={save}
              />
            ))}
          </div>
        </section>
      ))}
    </section>
  );
}

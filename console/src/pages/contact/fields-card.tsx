import { useState } from 'preact/hooks';

import { draftOf } from '../../drafts.ts';
import { Button } from '../../ui/button.tsx';
import type { WholePerson } from '../contacts/person.ts';
import { attributeField, Attributes } from './attributes.tsx';
import { FieldRow } from './field-row.tsx';
import { fieldNames, headingOf, reachNames } from './fields.ts';
import type { Saving } from './saving.ts';

export interface Editing {
  /** Where the drafts of the contact are. */
  place: string;
  person: WholePerson;
  mayWrite: boolean;
  /** The name of the field that is being edited. */
  edited: string | undefined;
  edit: (name: string) => void;
  close: (name: string) => void;
  save: Saving['save'];
}

/** What is known, and behind one line what is not. */
export function FieldsCard(editing: Editing) {
  const { place, person, mayWrite, edited, edit, close, save } = editing;
  const [isOpen, setOpen] = useState(false);
  const atTop = new Set<string>([headingOf(person), ...reachNames.filter((name) => person[name] !== null)]);
  const names = fieldNames.filter((name) => !atTop.has(name));
  const isSeen = (name: (typeof names)[number]) =>
    person[name] !== null || edited === name || draftOf(`${place}/${name}`) !== undefined;
  const empty = names.filter((name) => !isSeen(name)).length;
  return (
    <section class="card" aria-labelledby="details-title">
      <h2 id="details-title">Details</h2>
      <div>
        {names.map(
          (name) =>
            (isOpen || isSeen(name)) && (
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
            ),
        )}
        <Attributes {...editing} />
      </div>
      <div class="details-end row">
        {empty > 0 && (
          <Button kind="quiet" isSmall aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? 'Hide' : 'Show'} {empty} empty {empty === 1 ? 'field' : 'fields'}
          </Button>
        )}
        {mayWrite && (
          <Button kind="quiet" icon="plus" isSmall data-edit={attributeField()} onClick={() => edit(attributeField())}>
            Add attribute
          </Button>
        )}
      </div>
    </section>
  );
}

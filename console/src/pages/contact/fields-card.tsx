import { useState } from 'preact/hooks';

import { draftOf } from '../../drafts.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Attributes } from './attributes.tsx';
import { FieldRow } from './field-row.tsx';
import { attributeField, fieldNames, headingOf, reachNames } from './fields.ts';
import type { Sheet } from './held.ts';

/** What is known, and behind one line what is not. */
export function FieldsCard(sheet: Sheet) {
  const { place, person, mayWrite, edited, edit } = sheet;
  const [isOpen, setOpen] = useState(false);
  const atTop = new Set<string>([headingOf(person), ...reachNames.filter((name) => person[name] !== null)]);
  const names = fieldNames.filter((name) => !atTop.has(name));
  const isSeen = (name: (typeof names)[number]) =>
    person[name] !== null || edited === name || draftOf(`${place}/${name}`) !== undefined;
  const empty = names.filter((name) => !isSeen(name)).length;
  return (
    <Card title="Details">
      <div>
        {names.map((name) => (isOpen || isSeen(name)) && <FieldRow key={name} {...sheet} name={name} />)}
        <Attributes {...sheet} />
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
    </Card>
  );
}

import { useRef, useState } from 'preact/hooks';

import { draftOf } from '../../drafts.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/failed.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useAction } from '../../use-action.ts';
import type { AttributeValue, WholePerson } from '../contacts/person.ts';
import { AttributeForm } from './attribute-form.tsx';
import type { Saving } from './saving.ts';

interface AttributesCardProps {
  place: string;
  person: WholePerson;
  mayWrite: boolean;
  save: Saving['save'];
}

/** No name of an attribute is empty. */
const newOne = '';

export function AttributesCard({ place, person: { attributes }, mayWrite, save }: AttributesCardProps) {
  const [edited, edit] = useState<string>();
  const card = useRef<HTMLElement>(null);
  const remove = useAction(async (name: string) => {
    await save({ attributes: { [name]: null } });
    card.current?.querySelector<HTMLElement>('.card-head button')?.focus();
  });
  const entries = Object.entries(attributes);
  return (
    <section class="card" ref={card} aria-labelledby="attributes-title">
      <div class="card-head">
        <h2 id="attributes-title">Attributes</h2>
        {mayWrite && edited === undefined && (
          <Button icon="plus" isSmall onClick={() => edit(newOne)}>
            Add
          </Button>
        )}
      </div>
      {entries.length === 0 && edited === undefined && (
        <p class="soft">Values beside the fields: a plan, a score, a consent.</p>
      )}
      <div class="details">
        {entries.map(([name, value]) =>
          edited === name ? (
            <AttributeForm
              key={name}
              place={`${place}/attributes.${name}`}
              name={name}
              value={value}
              save={save}
              onClose={() => edit(undefined)}
            />
          ) : (
            <Attribute
              key={name}
              draft={draftOf(`${place}/attributes.${name}`)}
              name={name}
              value={value}
              mayWrite={mayWrite}
              onEdit={() => edit(name)}
              onRemove={() => void remove.run(name)}
            />
          ),
        )}
        {edited === newOne && (
          <AttributeForm
            place={`${place}/attributes.`}
            taken={entries.map(([name]) => name)}
            save={save}
            onClose={() => edit(undefined)}
          />
        )}
      </div>
      <ErrorNote error={remove.error} />
    </section>
  );
}

interface AttributeProps {
  draft: string | undefined;
  name: string;
  value: AttributeValue;
  mayWrite: boolean;
  onEdit: () => void;
  onRemove: () => void;
}

function Attribute({ draft, name, value, mayWrite, onEdit, onRemove }: AttributeProps) {
  const text = typeof value === 'boolean' ? (value ? 'Yes' : 'No') : String(value);
  const shown = (
    <span class={typeof value === 'string' ? 'detail-text' : 'detail-text number'} dir="auto">
      {text}
    </span>
  );
  return (
    <div class="detail">
      <span class="detail-label mono">{name}</span>
      {mayWrite ? (
        <button type="button" class="detail-value" onClick={onEdit}>
          <span class="visually-hidden">Edit {name}: </span>
          {shown}
          {draft !== undefined && <span class="detail-draft">Not saved: {draft}</span>}
          <Icon name="pencil" />
        </button>
      ) : (
        <span class="detail-value">{shown}</span>
      )}
      {mayWrite && (
        <span class="detail-more">
          <IconButton icon="trash" label={`Remove ${name}`} onClick={onRemove} />
        </span>
      )}
    </div>
  );
}

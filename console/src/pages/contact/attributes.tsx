import { draftOf } from '../../drafts.ts';
import { IconButton } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/failed.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useAction } from '../../use-action.ts';
import type { AttributeValue } from '../contacts/person.ts';
import { AttributeForm } from './attribute-form.tsx';
import type { Editing } from './fields-card.tsx';

/** The field of an attribute. No name of an attribute is empty: that of a new one is. */
export const attributeField = (name = '') => `attributes.${name}`;

/** The values beside the fields. */
export function Attributes({ place, person: { attributes }, mayWrite, edited, edit, close, save }: Editing) {
  const remove = useAction(async (name: string) => {
    await save({ attributes: { [name]: null } });
    document.querySelector<HTMLElement>(`[data-edit="${attributeField()}"]`)?.focus();
  });
  const names = Object.keys(attributes);
  const propsOf = (field: string) => ({ place: `${place}/${field}`, save, onClose: () => close(field) });
  return (
    <>
      {Object.entries(attributes).map(([name, value]) => {
        const field = attributeField(name);
        return edited === field && mayWrite ? (
          <AttributeForm key={name} {...propsOf(field)} name={name} value={value} />
        ) : (
          <Attribute
            key={name}
            draft={draftOf(`${place}/${field}`)}
            name={name}
            value={value}
            mayWrite={mayWrite}
            onEdit={() => edit(field)}
            onRemove={() => void remove.run(name)}
          />
        );
      })}
      {edited === attributeField() && <AttributeForm {...propsOf(attributeField())} taken={names} />}
      <ErrorNote error={remove.error} />
    </>
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
  const shown = <span dir="auto">{text}</span>;
  return (
    <div class="detail" data-field={attributeField(name)}>
      <span class="detail-label mono">{name}</span>
      {mayWrite ? (
        <button type="button" class="detail-value" data-edit={attributeField(name)} onClick={onEdit}>
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

import { IconButton } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/failed.tsx';
import { useAction } from '../../use-action.ts';
import { AttributeForm } from './attribute-form.tsx';
import { Detail } from './field-row.tsx';
import { attributeField } from './fields.ts';
import type { Sheet } from './held.ts';

/** The values beside the fields. */
export function Attributes(sheet: Sheet) {
  const { person, mayWrite, edited, save } = sheet;
  const remove = useAction(async (name: string) => {
    await save({ attributes: { [name]: null } });
    document.querySelector<HTMLElement>(`[data-edit="${attributeField()}"]`)?.focus();
  });
  return (
    <>
      {Object.entries(person.attributes).map(([name, value]) => {
        const field = attributeField(name);
        const text = typeof value === 'boolean' ? (value ? 'Yes' : 'No') : String(value);
        return edited === field ? (
          <AttributeForm key={name} {...sheet} name={name} />
        ) : (
          <Detail key={name} {...sheet} name={field} label={<span class="mono">{name}</span>} value={text}>
            {mayWrite && <IconButton icon="trash" label={`Remove ${name}`} onClick={() => void remove.run(name)} />}
          </Detail>
        );
      })}
      {edited === attributeField() && <AttributeForm {...sheet} />}
      <ErrorNote error={remove.error} />
    </>
  );
}

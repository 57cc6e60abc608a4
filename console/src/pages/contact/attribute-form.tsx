import { useState } from 'preact/hooks';

import { useDraft } from '../../drafts.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/failed.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { useAction } from '../../use-action.ts';
import type { AttributeValue } from '../contacts/person.ts';
import { attributeField } from './fields.ts';
import type { Sheet } from './held.ts';

const kinds = { string: 'Text', number: 'Number', boolean: 'Yes or no' };
type Kind = keyof typeof kinds;

/** Without a name, for a new attribute. */
export function AttributeForm({ place, person: { attributes }, save, close, name }: Sheet & { name?: string }) {
  const field = attributeField(name);
  const value = attributes[name ?? ''] ?? '';
  const given = useDraft(`${place}/${field}/name`, name ?? '');
  const [kind, setKind] = useState(typeof value as Kind);
  const { text, type, settle } = useDraft(`${place}/${field}`, String(value));
  const discard = () => {
    settle();
    given.settle();
    close(field);
  };
  const read = valueOf(kind, text);
  const action = useAction(async () => {
    if (read === undefined) return;
    await save({ attributes: { [given.text]: read } });
    discard();
  });
  const isTaken = name === undefined && Object.hasOwn(attributes, given.text);
  const isNumberWrong = kind === 'number' && text.trim() !== '' && read === undefined;
  return (
    <Form class="detail-editor" takesFocus noValidate perform={action.run} onEscape={discard}>
      {name === undefined && (
        <TextField
          label="Attribute"
          value={given.text}
          onValue={given.type}
          maxLength={40}
          error={isTaken ? 'is there already' : undefined}
        />
      )}
      <SelectField label="Kind" value={kind} onValue={setKind} choices={kinds} />
      {kind === 'boolean' ? (
        <SelectField
          label={name ?? 'Value'}
          value={text === 'true' ? 'true' : 'false'}
          onValue={type}
          choices={{ true: 'Yes', false: 'No' }}
        />
      ) : (
        <TextField
          label={name ?? 'Value'}
          value={text}
          onValue={type}
          maxLength={1_000}
          error={isNumberWrong ? 'is not a number' : undefined}
        />
      )}
      <Button
        kind="primary"
        type="submit"
        disabled={given.text === '' || isTaken || read === undefined}
        isBusy={action.isBusy}
      >
        Save
      </Button>
      <Button onClick={discard}>Cancel</Button>
      <ErrorNote error={action.error} />
    </Form>
  );
}

/** Undefined where there is none yet. */
function valueOf(kind: Kind, text: string): AttributeValue | undefined {
  if (kind === 'boolean') return text === 'true';
  const clean = text.trim();
  if (clean === '') return undefined;
  if (kind === 'string') return clean;
  const number = Number(clean);
  return Number.isFinite(number) ? number : undefined;
}

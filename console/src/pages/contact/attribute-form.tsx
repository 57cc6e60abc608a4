import { useLayoutEffect, useState } from 'preact/hooks';

import { errorAbout } from '../../api.ts';
import { useDraft } from '../../drafts.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/failed.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { useAction } from '../../use-action.ts';
import type { AttributeValue } from '../contacts/person.ts';
import type { Saving } from './saving.ts';

type Kind = 'text' | 'number' | 'boolean';

interface AttributeFormProps {
  place: string;
  /** Missing for a new one. */
  name?: string;
  value?: AttributeValue;
  taken?: readonly string[];
  save: Saving['save'];
  onClose: () => void;
}

export function AttributeForm({ place, name, value, taken = [], save, onClose }: AttributeFormProps) {
  const { text: given, type: setGiven, settle: settleName } = useDraft(`${place}/name`, name ?? '');
  const [kind, setKind] = useState<Kind>(kindOf(value));
  const { text, type: setText, settle } = useDraft(place, value === undefined ? '' : String(value));
  const discard = () => {
    settle();
    settleName();
    onClose();
  };
  const read = valueOf(kind, text);
  const action = useAction(async () => {
    if (read === undefined) return;
    await save({ attributes: { [given]: read } });
    discard();
  });
  useLayoutEffect(() => {
    const firstOf = (what: string) => document.querySelector<HTMLElement>(`.attribute-form ${what}`);
    (firstOf('input') ?? firstOf('select'))?.focus();
  }, []);
  const nameError = name === undefined ? objectionToName(given, taken) : undefined;
  const isNumberWrong = kind === 'number' && text.trim() !== '' && read === undefined;
  return (
    <Form class="attribute-form stack" noValidate perform={action.run} onEscape={discard}>
      {name === undefined && (
        <TextField
          label="Attribute"
          value={given}
          onValue={setGiven}
          maxLength={40}
          error={given === '' ? undefined : nameError}
        />
      )}
      <SelectField
        label="Kind"
        value={kind}
        onValue={setKind}
        choices={{ text: 'Text', number: 'Number', boolean: 'Yes or no' }}
      />
      {kind === 'boolean' ? (
        <SelectField
          label={name ?? 'Value'}
          value={text === 'true' ? 'true' : 'false'}
          onValue={setText}
          choices={{ true: 'Yes', false: 'No' }}
        />
      ) : (
        <TextField
          label={name ?? 'Value'}
          value={text}
          onValue={setText}
          maxLength={1_000}
          error={isNumberWrong ? 'is not a number' : errorIn(action.error)}
        />
      )}
      <div class="form-end">
        <Button
          kind="primary"
          type="submit"
          disabled={read === undefined || nameError !== undefined}
          isBusy={action.isBusy}
        >
          Save
        </Button>
        <Button onClick={discard}>Cancel</Button>
      </div>
      <ErrorNote error={errorIn(action.error) === undefined ? action.error : undefined} />
    </Form>
  );
}

function kindOf(value: AttributeValue | undefined): Kind {
  if (typeof value === 'number') return 'number';
  return typeof value === 'boolean' ? 'boolean' : 'text';
}

/** Undefined where there is none yet. */
function valueOf(kind: Kind, text: string): AttributeValue | undefined {
  if (kind === 'boolean') return text === 'true';
  const clean = text.trim();
  if (clean === '') return undefined;
  if (kind === 'text') return clean;
  const number = Number(clean);
  return Number.isFinite(number) ? number : undefined;
}

function objectionToName(name: string, taken: readonly string[]): string | undefined {
  if (taken.includes(name)) return 'is there already';
  if (/^[a-z][a-z0-9_]{0,39}$/.test(name)) return undefined;
  return 'must begin with a letter a to z, followed by letters a to z, digits or _';
}

function errorIn(error: Error | undefined): string | undefined {
  return errorAbout(error, (field) => field.startsWith('properties.attributes'));
}

import { call } from '../../api.ts';
import type { Key, Scope } from '../../types.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { Secret } from '../../ui/copy.tsx';
import { Checks, SelectField, TextField } from '../../ui/field.tsx';
import { FormDialog, useForm } from '../../ui/form.tsx';
import type { RowDialogProps } from '../../ui/table.tsx';
import { RotateDialog } from './rotate-dialog.tsx';
import { type Preset, presets, scopeChoices, wordsOf } from './scopes.ts';

const spans = { '30d': 'In 30 days', '90d': 'In 90 days', '365d': 'In a year', '': 'Never' };

interface NewKey {
  name: string;
  preset?: Preset;
  scopes: Scope[];
  expires: keyof typeof spans;
}

export function CreateKey({ onClose }: { onClose: () => void }) {
  const given: NewKey = { name: '', scopes: [], expires: '90d' };
  const form = useForm(
    given,
    ({ name, expires, ...rights }) => {
      const input = { name, scopes: scopesOf(rights), ...(expires !== '' && { expires_in: expires }) };
      return makeKey('/keys', input, 'the key');
    },
    onClose,
  );
  const { values } = form;
  return (
    <FormDialog
      title="Create a key"
      action={form}
      verb="Create"
      isReady={scopesOf(values).length > 0}
      isMaking
      onClose={onClose}
    >
      <TextField
        label="Name"
        hint="The name of the program that uses the key."
        placeholder="CRM sync"
        {...form.field('name')}
        maxLength={255}
        required
      />
      <fieldset class="field checks">
        <legend>Rights</legend>
        {(Object.keys(presets) as Preset[]).map((one) => (
          <label key={one} class="check">
            <input
              type="radio"
              name="preset"
              checked={one === values.preset}
              onChange={() => form.set({ preset: one })}
            />
            <span>
              {one}
              <span class="soft small">{wordsOf(presets[one]) || 'Choose each right'}</span>
            </span>
          </label>
        ))}
      </fieldset>
      {values.preset === 'Custom' && <Checks label="Each right" choices={scopeChoices} {...form.field('scopes')} />}
      <div class="narrow">
        <SelectField label="Expires" choices={spans} {...form.field('expires')} />
      </div>
    </FormDialog>
  );
}

function scopesOf({ preset = 'Custom', scopes }: Pick<NewKey, 'preset' | 'scopes'>): readonly Scope[] {
  return preset === 'Custom' ? scopes : presets[preset];
}

/** It is shown this one time. */
async function makeKey(path: string, input: object, what: string) {
  const { token } = await call<{ token: string }>('POST', path, input);
  const shown = <Secret label="Key" text={token} hint="Copy it now: Roster cannot show it again." />;
  return { title: `Copy ${what}`, shown };
}

export function Rotate({ row: { id: keyId, name }, onClose }: RowDialogProps<Key>) {
  return (
    <RotateDialog
      title={`Rotate ${name}`}
      label="The old key works"
      rotate={(overlap) => makeKey('/keys/{keyId}/rotate', { keyId, overlap }, 'the new key')}
      onClose={onClose}
    >
      The new key has the same rights. Give it to the program before the old key stops.
    </RotateDialog>
  );
}

export function Revoke({ row: { id: keyId, name }, onClose }: RowDialogProps<Key>) {
  return (
    <Confirm
      title="Revoke the key?"
      verb="Revoke"
      onClose={onClose}
      perform={async () => {
        await call('DELETE', '/keys/{keyId}', { keyId });
        return `${name} was revoked`;
      }}
    >
      <p>
        Whoever calls with <strong>{name}</strong> is refused at once, and for good.
      </p>
    </Confirm>
  );
}

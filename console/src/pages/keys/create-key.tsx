import { useState } from 'preact/hooks';

import { call } from '../../api.ts';
import { withFresh } from '../../fresh.tsx';
import type { Scope } from '../../types.ts';
import { Secret } from '../../ui/copy.tsx';
import { Checks, SelectField, TextField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form.tsx';
import { useAction } from '../../use-action.ts';
import { type Preset, presets, scopeChoices, wordsOf } from './scopes.ts';

const spans = { '30d': 'In 30 days', '90d': 'In 90 days', '365d': 'In a year', '': 'Never' };

export function CreateKey({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('');
  const [preset, setPreset] = useState<Preset>();
  const [custom, setCustom] = useState<Scope[]>([]);
  const [span, setSpan] = useState<keyof typeof spans>('90d');
  const [token, setToken] = useState<string>();
  const chosen = preset === undefined || preset === 'Custom' ? custom : presets[preset];
  const action = useAction(async () => {
    const input = { name: name.trim(), scopes: chosen, ...(span !== '' && { expires_in: span }) };
    const made = await withFresh(() => call<{ token: string }>('POST', '/keys', input));
    setToken(made.token);
  });
  return (
    <FormDialog
      title="Create a key"
      action={action}
      verb="Create"
      isReady={chosen.length > 0}
      isMaking
      made={token === undefined ? undefined : { title: 'Copy the key', shown: <KeepKey token={token} /> }}
      fields={['name', 'scopes']}
      onClose={onClose}
    >
      <TextField
        label="Name"
        hint="The name of the program that uses the key."
        placeholder="CRM sync"
        value={name}
        onValue={setName}
        maxLength={255}
        error={action.errorOf('name')}
        required
      />
      <fieldset class="field checks">
        <legend>Rights</legend>
        {(Object.keys(presets) as Preset[]).map((one) => (
          <label key={one} class="check">
            <input type="radio" name="preset" checked={one === preset} onChange={() => setPreset(one)} />
            <span>
              {one}
              <span class="check-hint">{wordsOf(presets[one]) || 'Choose each right'}</span>
            </span>
          </label>
        ))}
      </fieldset>
      {preset === 'Custom' && (
        <Checks
          label="Each right"
          choices={scopeChoices}
          chosen={custom}
          onChosen={setCustom}
          error={action.errorOf('scopes')}
        />
      )}
      <div class="narrow">
        <SelectField label="Expires" value={span} onValue={setSpan} choices={spans} />
      </div>
    </FormDialog>
  );
}

/** The one time that a key is shown. */
export function KeepKey({ token }: { token: string }) {
  return <Secret takesFocus label="Key" text={token} hint="Copy it now: Roster cannot show it again." />;
}

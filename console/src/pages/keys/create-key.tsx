import { useState } from 'preact/hooks';

import { call } from '../../api.ts';
import { withFresh } from '../../fresh.tsx';
import { Button } from '../../ui/button.tsx';
import { Secret } from '../../ui/copy.tsx';
import { Curl } from '../../ui/curl.tsx';
import { Dialog, DialogEnd } from '../../ui/dialog.tsx';
import { ErrorNote } from '../../ui/failed.tsx';
import { Checks, SelectField, TextField } from '../../ui/field.tsx';
import { DialogForm } from '../../ui/form.tsx';
import { type Action, useAction } from '../../use-action.ts';

const scopes = [
  ['contacts:read', 'Read contacts'],
  ['contacts:write', 'Change contacts'],
  ['chatbots:read', 'Read chatbots'],
  ['chatbots:write', 'Change chatbots'],
  ['members:read', 'Read members'],
  ['members:write', 'Change members'],
  ['project:read', 'Read the project and its usage'],
  ['project:write', 'Change the project'],
  ['events:read', 'Read events'],
] as const;

const usual = ['contacts:read', 'chatbots:read', 'members:read', 'project:read'];

const spans = [
  ['', 'Never'],
  ['30d', 'In thirty days'],
  ['90d', 'In ninety days'],
  ['365d', 'In a year'],
] as const;

interface NewKey {
  name: string;
  scopes: readonly string[];
  expires_in?: string;
}

interface Props {
  onClose: () => void;
  onDone: () => void;
}

export function CreateKey({ onClose, onDone }: Props) {
  const [token, setToken] = useState<string>();
  const action = useAction(async (input: NewKey) => {
    const made = await withFresh(() => call<{ token: string }>('POST', '/keys', input));
    setToken(made.token);
    onDone();
  });
  const isMade = token !== undefined;
  return (
    <Dialog title={isMade ? 'Keep the key' : 'Make a key'} isHeld={isMade || action.isBusy} onClose={onClose}>
      {token === undefined ? (
        <KeyForm action={action} onClose={onClose} />
      ) : (
        <KeepKey token={token} onClose={onClose} />
      )}
    </Dialog>
  );
}

function KeyForm({ action, onClose }: { action: Action<[NewKey]>; onClose: () => void }) {
  const [name, setName] = useState('');
  const [chosen, setChosen] = useState<string[]>(usual);
  const [span, setSpan] = useState('');
  const run = () => action.run({ name: name.trim(), scopes: chosen, ...(span !== '' && { expires_in: span }) });
  return (
    <DialogForm action={{ ...action, run }} verb="Make the key" isReady={chosen.length > 0} isHeld onClose={onClose}>
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
      <Checks
        label="Scopes"
        hint="Rights of the program. Give it no more than it needs."
        choices={scopes}
        chosen={chosen}
        onChosen={setChosen}
        error={action.errorOf('scopes')}
      />
      <div class="narrow">
        <SelectField label="Expires" value={span} onValue={setSpan} choices={spans} />
      </div>
      <ErrorNote error={action.errorBesides('name', 'scopes')} />
    </DialogForm>
  );
}

/** The one time that a key is shown. */
export function KeepKey({ token, onClose }: { token: string; onClose: () => void }) {
  return (
    <>
      <div class="stack">
        <Secret takesFocus label="Key" text={token} hint="Copy it now: Roster cannot show it again." />
        <Curl
          title="Try it with curl"
          code={`ROSTER_KEY=…\ncurl -H "Authorization: Bearer $ROSTER_KEY" ${location.origin}/v2/key`}
        />
      </div>
      <DialogEnd>
        <Button kind="primary" onClick={onClose}>
          Done
        </Button>
      </DialogEnd>
    </>
  );
}

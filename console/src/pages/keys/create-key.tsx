import { useState } from 'preact/hooks';

import { call } from '../../api.ts';
import { withFresh } from '../../fresh.tsx';
import type { Scope } from '../../types.ts';
import { Secret } from '../../ui/copy.tsx';
import { Curl } from '../../ui/curl.tsx';
import { Checks, SelectField, TextField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form.tsx';
import { useAction } from '../../use-action.ts';

const scopes: Record<Scope, string> = {
  'contacts:read': 'Read contacts',
  'contacts:write': 'Change contacts',
  'chatbots:read': 'Read chatbots',
  'chatbots:write': 'Change chatbots',
  'members:read': 'Read members',
  'members:write': 'Change members',
  'project:read': 'Read the project and its usage',
  'project:write': 'Change the project',
  'events:read': 'Read events',
  'webhooks:read': 'Read webhooks',
  'webhooks:write': 'Change webhooks',
};
const scopeChoices = Object.entries(scopes) as [Scope, string][];

const usual: Scope[] = ['contacts:read', 'chatbots:read', 'members:read', 'project:read'];

const spans = { '': 'Never', '30d': 'In thirty days', '90d': 'In ninety days', '365d': 'In a year' };

export function CreateKey({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('');
  const [chosen, setChosen] = useState(usual);
  const [span, setSpan] = useState<keyof typeof spans>('');
  const [token, setToken] = useState<string>();
  const action = useAction(async () => {
    const input = { name: name.trim(), scopes: chosen, ...(span !== '' && { expires_in: span }) };
    const made = await withFresh(() => call<{ token: string }>('POST', '/keys', input));
    setToken(made.token);
  });
  return (
    <FormDialog
      title="Make a key"
      action={action}
      verb="Make the key"
      isReady={chosen.length > 0}
      isMaking
      made={token === undefined ? undefined : { title: 'Keep the key', shown: <KeepKey token={token} /> }}
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
      <Checks
        label="Scopes"
        hint="Rights of the program. Give it no more than it needs."
        choices={scopeChoices}
        chosen={chosen}
        onChosen={setChosen}
        error={action.errorOf('scopes')}
      />
      <div class="narrow">
        <SelectField label="Expires" value={span} onValue={setSpan} choices={spans} />
      </div>
    </FormDialog>
  );
}

/** The one time that a key is shown. */
export function KeepKey({ token }: { token: string }) {
  return (
    <>
      <Secret takesFocus label="Key" text={token} hint="Copy it now: Roster cannot show it again." />
      <Curl
        title="Try it with curl"
        code={`ROSTER_KEY=…\ncurl -H "Authorization: Bearer $ROSTER_KEY" ${location.origin}/v2/key`}
      />
    </>
  );
}

import { useState } from 'preact/hooks';

import { call } from '../../api.ts';
import { withFresh } from '../../fresh.tsx';
import type { Key } from '../../types.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { SelectField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form.tsx';
import type { RowDialogProps } from '../../ui/table.tsx';
import { toast } from '../../ui/toast.tsx';
import { useAction } from '../../use-action.ts';
import { KeepKey } from './create-key.tsx';

const overlaps = {
  '1h': 'For one more hour',
  '24h': 'For one more day',
  '7d': 'For seven more days',
  '0h': 'No longer',
};

/** Both keys work for a while, so that the program can be moved without a gap. */
export function Rotate({ row: apiKey, onClose }: RowDialogProps<Key>) {
  const [overlap, setOverlap] = useState<keyof typeof overlaps>('24h');
  const [token, setToken] = useState<string>();
  const action = useAction(async () => {
    const input = { keyId: apiKey.id, overlap };
    const made = await withFresh(() => call<{ token: string }>('POST', '/keys/{keyId}/rotate', input));
    setToken(made.token);
  });
  return (
    <FormDialog
      title={`Rotate ${apiKey.name}`}
      action={action}
      verb="Rotate"
      isMaking
      made={token === undefined ? undefined : { title: 'Copy the new key', shown: <KeepKey token={token} /> }}
      onClose={onClose}
    >
      <p class="prose">
        <span>The new key has the same rights. Give it to the program before the old key stops.</span>
      </p>
      <div class="narrow">
        <SelectField label="The old key works" value={overlap} onValue={setOverlap} choices={overlaps} />
      </div>
    </FormDialog>
  );
}

export function Revoke({ row: apiKey, onClose }: RowDialogProps<Key>) {
  return (
    <Confirm
      title="Revoke the key?"
      verb="Revoke"
      onClose={onClose}
      perform={async () => {
        await call('DELETE', '/keys/{keyId}', { keyId: apiKey.id });
        toast(`${apiKey.name} was revoked`);
      }}
    >
      <p>
        Whoever calls with <strong>{apiKey.name}</strong> is refused at once, and for good.
      </p>
    </Confirm>
  );
}

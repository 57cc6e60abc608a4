import { useState } from 'preact/hooks';

import { call } from '../../api.ts';
import { deviceOf } from '../../device.ts';
import { useFocusAfterRemoval } from '../../layout/focus.ts';
import { AlreadyThere, createPasskey, obstacleOf, useSignInState } from '../../passkeys.ts';
import { useQuery } from '../../query.ts';
import type { Passkey } from '../../types.ts';
import { Button } from '../../ui/button.tsx';
import { Card, Item } from '../../ui/card.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { ErrorNote } from '../../ui/failed.tsx';
import { TextField } from '../../ui/field.tsx';
import { FormDialog, useForm } from '../../ui/form.tsx';
import { Time } from '../../ui/time.tsx';

export function Passkeys() {
  const { data: state } = useSignInState();
  const { data, error } = useQuery(['passkeys'], (signal) =>
    call<{ passkeys: Passkey[] }>('GET', '/passkeys', {}, { signal }),
  );
  useFocusAfterRemoval(data?.passkeys.length);
  const [isAdding, setAdding] = useState(false);
  const [removing, setRemoving] = useState<Passkey>();
  const obstacle = state && obstacleOf(state);
  const canAdd = state !== undefined && obstacle === undefined;
  return (
    <Card
      title="Passkeys"
      about="Sign in with a fingerprint, a face or a PIN. A passkey stays on your device or with your password manager."
      isFlush
      actions={
        canAdd && (
          <Button icon="plus" onClick={() => setAdding(true)}>
            Add a passkey
          </Button>
        )
      }
    >
      <ErrorNote error={error} />
      {obstacle && (
        <p class="card-body soft">
          You cannot add one here. {obstacle.text} You can still sign in with links.
          {obstacle.elsewhere && (
            <>
              {' '}
              Open <a href={obstacle.elsewhere.href}>{obstacle.elsewhere.host}</a> instead.
            </>
          )}
        </p>
      )}
      {data?.passkeys.length === 0 && canAdd && (
        <p class="card-body soft">No passkey yet. Until you add one, you sign in with links.</p>
      )}
      <ul>
        {data?.passkeys.map((passkey) => {
          const { id, name, created_at: created, last_used_at: used } = passkey;
          const about = [
            'Added ',
            <Time value={created} />,
            ...(used === null ? [] : [', used ', <Time value={used} />]),
          ];
          return (
            <Item key={id} title={name} about={about}>
              <Button isSmall aria-label={`Remove ${name}`} onClick={() => setRemoving(passkey)}>
                Remove
              </Button>
            </Item>
          );
        })}
      </ul>
      {isAdding && <Add isFirst={data?.passkeys.length === 0} onClose={() => setAdding(false)} />}
      {removing && <Remove passkey={removing} onClose={() => setRemoving(undefined)} />}
    </Card>
  );
}

function Add({ isFirst, onClose }: { isFirst: boolean; onClose: () => void }) {
  const form = useForm(
    { name: deviceOf(navigator.userAgent) },
    async ({ name }) => {
      try {
        await createPasskey(name);
        return 'Passkey added';
      } catch (error) {
        if (!(error instanceof AlreadyThere)) throw error;
        return 'This device already has a passkey for you';
      }
    },
    onClose,
  );
  return (
    <FormDialog title="Add a passkey" action={form} verb="Continue" onClose={onClose}>
      <TextField
        label="Name"
        hint={`To recognise it later. Your browser asks for the rest.${isFirst ? ' Your other sessions end.' : ''}`}
        maxLength={100}
        {...form.field('name')}
      />
    </FormDialog>
  );
}

function Remove({ passkey: { id: passkeyId, name }, onClose }: { passkey: Passkey; onClose: () => void }) {
  return (
    <Confirm
      title="Remove the passkey?"
      verb="Remove"
      onClose={onClose}
      perform={async () => {
        await call('DELETE', '/passkeys/{passkeyId}', { passkeyId });
        return `${name} removed`;
      }}
    >
      <p>
        <strong>{name}</strong> no longer signs you in. Delete it on the device too, so it is not offered there. Your
        other sessions end.
      </p>
    </Confirm>
  );
}

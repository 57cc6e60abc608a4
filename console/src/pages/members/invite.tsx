import { useState } from 'preact/hooks';

import { ApiError, api } from '../../api.ts';
import { curlFor } from '../../curl.ts';
import { withFresh } from '../../fresh.tsx';
import type { Link } from '../../types.ts';
import { Curl } from '../../ui/curl.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorNote } from '../../ui/failed.tsx';
import { Checks, SelectField, TextField } from '../../ui/field.tsx';
import { DialogForm } from '../../ui/form.tsx';
import { type Action, useAction } from '../../use-action.ts';
import { PassOn } from './pass-on.tsx';
import { givenRoles } from './roles.ts';

const spans = [
  ['1d', 'One day'],
  ['7d', 'Seven days'],
  ['30d', 'Thirty days'],
] as const;

interface NewMember {
  email: string;
  roles: readonly string[];
  expires_in: string;
}

export function Invite({ onClose, onDone }: { onClose: () => void; onDone: () => void }) {
  const [link, setLink] = useState<Link>();
  const action = useAction(async (body: NewMember) => {
    const { invitation } = await withFresh(() => api.post<{ invitation: Link }>('/members', { body }));
    setLink(invitation);
    onDone();
  });
  return (
    <Dialog
      title={link ? 'Pass the link on' : 'Invite somebody'}
      isHeld={link !== undefined || action.isBusy}
      onClose={onClose}
    >
      {link ? (
        <PassOn label="Invitation" link={link} onClose={onClose} />
      ) : (
        <InviteForm action={action} onClose={onClose} />
      )}
    </Dialog>
  );
}

function InviteForm({ action, onClose }: { action: Action<[NewMember]>; onClose: () => void }) {
  const [email, setEmail] = useState('');
  const [roles, setRoles] = useState<string[]>([]);
  const [span, setSpan] = useState('7d');
  const run = () => action.run({ email: email.trim(), roles, expires_in: span });
  const isKnown = action.error instanceof ApiError && action.error.code === 'conflict';
  const emailError = isKnown ? 'There is a member with this address already' : action.errorOf('email');
  return (
    <DialogForm
      action={{ ...action, run }}
      verb="Make the invitation"
      isReady={roles.length > 0}
      isHeld
      onClose={onClose}
    >
      <TextField
        label="E-mail address"
        type="email"
        placeholder="grace@example.com"
        value={email}
        onValue={setEmail}
        error={emailError}
        required
      />
      <Checks
        label="Roles"
        hint="A member may do what any of their roles allows."
        choices={givenRoles}
        chosen={roles}
        onChosen={setRoles}
        error={action.errorOf('roles')}
      />
      <div class="narrow">
        <SelectField label="The link can be used for" value={span} onValue={setSpan} choices={spans} />
      </div>
      <ErrorNote error={isKnown ? undefined : action.errorBesides('email', 'roles')} />
      <Curl code={curlOf({ email, roles, span })} />
    </DialogForm>
  );
}

function curlOf({ email, roles, span }: { email: string; roles: readonly string[]; span: string }): string {
  const body = {
    email: email === '' ? 'grace@example.com' : email,
    roles: roles.length === 0 ? ['Editor'] : roles,
    expires_in: span,
  };
  return curlFor({ method: 'POST', path: '/members', body });
}

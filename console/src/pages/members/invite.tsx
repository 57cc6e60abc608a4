import { useState } from 'preact/hooks';

import { codeOf, roster } from '../../api.ts';
import { curlFor } from '../../curl.ts';
import { withFresh } from '../../fresh.tsx';
import type { InviteMemberInput, Link } from '../../types.ts';
import { Curl } from '../../ui/curl.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorNote } from '../../ui/failed.tsx';
import { Checks, SelectField, TextField } from '../../ui/field.tsx';
import { DialogForm } from '../../ui/form.tsx';
import { type Action, useAction } from '../../use-action.ts';
import { PassOn } from './pass-on.tsx';
import { type GivenRole, givenRoles } from './roles.ts';

const spans = [
  ['1d', 'One day'],
  ['7d', 'Seven days'],
  ['30d', 'Thirty days'],
] as const;

export function Invite({ onClose, onDone }: { onClose: () => void; onDone: () => void }) {
  const [link, setLink] = useState<Link>();
  const action = useAction(async (input: InviteMemberInput) => {
    const invited = await withFresh(() => roster.inviteMember(input));
    setLink(invited?.invitation ?? undefined);
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

function InviteForm({ action, onClose }: { action: Action<[InviteMemberInput]>; onClose: () => void }) {
  const [email, setEmail] = useState('');
  const [chosen, setChosen] = useState<string[]>([]);
  const [span, setSpan] = useState('7d');
  const roles = chosen as GivenRole[];
  const run = () => action.run({ email: email.trim(), roles, expires_in: span });
  const isKnown = codeOf(action.error) === 'conflict';
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
        onChosen={setChosen}
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
  const input = {
    email: email === '' ? 'grace@example.com' : email,
    roles: roles.length === 0 ? ['Editor'] : roles,
    expires_in: span,
  };
  return curlFor('inviteMember', input);
}

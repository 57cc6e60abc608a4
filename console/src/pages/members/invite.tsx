import { useState } from 'preact/hooks';

import { codeOf, roster } from '../../api.ts';
import { curlFor } from '../../curl.ts';
import { withFresh } from '../../fresh.tsx';
import type { Link } from '../../types.ts';
import { Checks, SelectField, TextField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form.tsx';
import { useAction } from '../../use-action.ts';
import { PassOn } from './pass-on.tsx';
import { type GivenRole, givenRoles } from './roles.ts';

const spans = { '1d': 'One day', '7d': 'Seven days', '30d': 'Thirty days' };

export function Invite({ onClose }: { onClose: () => void }) {
  const [email, setEmail] = useState('');
  const [roles, setRoles] = useState<GivenRole[]>([]);
  const [span, setSpan] = useState<keyof typeof spans>('7d');
  const [link, setLink] = useState<Link>();
  const input = { email: email.trim(), roles, expires_in: span };
  const action = useAction(async () => {
    const invited = await withFresh(() => roster.inviteMember(input));
    setLink(invited?.invitation ?? undefined);
  });
  const isKnown = codeOf(action.error) === 'conflict';
  const example = {
    ...input,
    email: email === '' ? 'grace@example.com' : email,
    roles: roles.length === 0 ? ['Editor'] : roles,
  };
  return (
    <FormDialog
      title="Invite a member"
      action={{ ...action, errorBesides: isKnown ? () => undefined : action.errorBesides }}
      verb="Create invitation"
      isReady={roles.length > 0}
      isMaking
      made={link && { title: 'Share this link', shown: <PassOn label="Invitation" link={link} /> }}
      fields={['email', 'roles']}
      curl={curlFor('inviteMember', example)}
      onClose={onClose}
    >
      <TextField
        label="E-mail address"
        type="email"
        placeholder="grace@example.com"
        value={email}
        onValue={setEmail}
        error={isKnown ? 'This address already belongs to a member' : action.errorOf('email')}
        required
      />
      <Checks
        label="Roles"
        hint="A member can do what any of their roles allows."
        choices={givenRoles}
        chosen={roles}
        onChosen={setRoles}
        error={action.errorOf('roles')}
      />
      <div class="narrow">
        <SelectField label="Link expires after" value={span} onValue={setSpan} choices={spans} />
      </div>
    </FormDialog>
  );
}

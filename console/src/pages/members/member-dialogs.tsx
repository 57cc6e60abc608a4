import { useState } from 'preact/hooks';

import { call, codeOf, roster } from '../../api.ts';
import { curlFor } from '../../curl.ts';
import { useSession } from '../../session.tsx';
import type { Link, Member } from '../../types.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { Check, Checks, SelectField, TextField } from '../../ui/field.tsx';
import { FormDialog, useForm } from '../../ui/form.tsx';
import type { RowDialogProps } from '../../ui/table.tsx';
import { PassOn } from './pass-on.tsx';
import { type GivenRole, givenRoles } from './roles.ts';

const spans = { '1d': 'One day', '7d': 'Seven days', '30d': 'Thirty days' };

export function Invite({ onClose }: { onClose: () => void }) {
  const given = { email: '', roles: [] as GivenRole[], expires_in: '7d' as keyof typeof spans };
  const form = useForm(
    given,
    async (input) => madeLink('Share this link', 'Invitation', (await roster.inviteMember(input))?.invitation),
    onClose,
  );
  const isKnown = codeOf(form.error) === 'conflict';
  const email = form.field('email');
  return (
    <FormDialog
      title="Invite a member"
      action={isKnown ? { ...form, errorBesides: () => undefined } : form}
      verb="Create invitation"
      isReady={form.values.roles.length > 0}
      isMaking
      curl={curlFor('inviteMember', form.input)}
      onClose={onClose}
    >
      <TextField
        label="E-mail address"
        type="email"
        placeholder="grace@example.com"
        {...email}
        error={isKnown ? 'This address already belongs to a member' : email.error}
        required
      />
      <Checks
        label="Roles"
        hint="A member can do what any of their roles allows."
        choices={givenRoles}
        {...form.field('roles')}
      />
      <div class="narrow">
        <SelectField label="Link expires after" choices={spans} {...form.field('expires_in')} />
      </div>
    </FormDialog>
  );
}

function madeLink(title: string, label: string, link: Link | null | undefined) {
  return { title, shown: link && <PassOn label={label} link={link} /> };
}

export function SignInLink({ row: { id: memberId, email }, onClose }: RowDialogProps<Member>) {
  const title = 'Create sign-in link';
  return (
    <Confirm
      title={title}
      verb="Create link"
      kind="primary"
      isMaking
      onClose={onClose}
      perform={async () =>
        madeLink(title, 'Sign-in link', await call<Link>('POST', '/members/{memberId}/sign-in-link', { memberId }))
      }
    >
      <p>
        Whoever opens this link is signed in as <strong>{email}</strong>. It works once and expires in 15 minutes.
        Earlier links stop working.
      </p>
    </Confirm>
  );
}

export function Reinvite({ row: { id: memberId, email }, onClose }: RowDialogProps<Member>) {
  const title = 'Create new invitation';
  return (
    <Confirm
      title={title}
      verb="Create link"
      kind="primary"
      isMaking
      onClose={onClose}
      perform={async () => madeLink(title, 'Invitation', (await roster.reinviteMember({ memberId })).invitation)}
    >
      <p>
        A new link for <strong>{email}</strong>, valid for seven days. The earlier one stops working.
      </p>
    </Confirm>
  );
}

export function HandOver({ row: { id: memberId, email }, onClose }: RowDialogProps<Member>) {
  const { project } = useSession();
  return (
    <Confirm
      title="Transfer ownership?"
      verb="Transfer"
      typed={email}
      onClose={onClose}
      perform={async () => {
        await call('POST', '/members/{memberId}/transfer', { memberId });
        return `${email} is now the Owner`;
      }}
    >
      <p>
        <strong>{email}</strong> becomes the Owner of {project.name}. You become an Admin, and sign in again. Only they
        can transfer it back.
      </p>
    </Confirm>
  );
}

export function SignOut({ row: { id: memberId, email }, onClose }: RowDialogProps<Member>) {
  const [passkeys, setPasskeys] = useState(false);
  return (
    <Confirm
      title="Sign out everywhere?"
      verb="Sign out"
      onClose={onClose}
      perform={async () => {
        await call('POST', '/members/{memberId}/sign-out', { memberId, passkeys });
        return `${email} signed out`;
      }}
    >
      <p>
        All sessions of <strong>{email}</strong> end. They can sign in again.
      </p>
      <Check
        label="Also remove their passkeys"
        hint="They then need a new sign-in link."
        isOn={passkeys}
        onChange={setPasskeys}
      />
    </Confirm>
  );
}

import type { ComponentChildren } from 'preact';
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
  const { values } = form;
  const isKnown = codeOf(form.error) === 'conflict';
  const example = {
    ...values,
    email: values.email || 'grace@example.com',
    roles: values.roles.length === 0 ? ['Editor'] : values.roles,
  };
  const email = form.field('email');
  return (
    <FormDialog
      title="Invite a member"
      action={isKnown ? { ...form, errorBesides: () => undefined } : form}
      verb="Create invitation"
      isReady={values.roles.length > 0}
      isMaking
      curl={curlFor('inviteMember', example)}
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
  return (
    <MakeLink
      title="Create sign-in link"
      onClose={onClose}
      label="Sign-in link"
      make={() => call<Link>('POST', '/members/{memberId}/sign-in-link', { memberId })}
    >
      Whoever opens this link is signed in as <strong>{email}</strong>. It works once and expires in 15 minutes. Earlier
      links stop working.
    </MakeLink>
  );
}

export function Reinvite({ row: { id: memberId, email }, onClose }: RowDialogProps<Member>) {
  return (
    <MakeLink
      title="Create new invitation"
      onClose={onClose}
      label="Invitation"
      make={async () => (await roster.reinviteMember({ memberId })).invitation}
    >
      A new link for <strong>{email}</strong>, valid for seven days. The earlier one stops working.
    </MakeLink>
  );
}

interface MakeLinkProps {
  title: string;
  label: string;
  make: () => Promise<Link | null>;
  onClose: () => void;
  children: ComponentChildren;
}

function MakeLink({ title, label, make, onClose, children }: MakeLinkProps) {
  const form = useForm({}, async () => madeLink(title, label, await make()), onClose);
  return (
    <FormDialog title={title} action={form} verb="Create link" isMaking onClose={onClose}>
      <p class="prose">
        <span>{children}</span>
      </p>
    </FormDialog>
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

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

import { call, roster } from '../../api.ts';
import { withFresh } from '../../fresh.tsx';
import { useQuery } from '../../query.ts';
import { useSession } from '../../session.tsx';
import type { Link, Member } from '../../types.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { ErrorNote } from '../../ui/failed.tsx';
import { Check } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form.tsx';
import type { RowDialogProps } from '../../ui/table.tsx';
import { toast } from '../../ui/toast.tsx';
import { useAction } from '../../use-action.ts';
import { Consequences } from './consequences.tsx';
import { PassOn } from './pass-on.tsx';

export function SignInLink({ row: member, onClose }: RowDialogProps<Member>) {
  return (
    <MakeLink
      title="Create sign-in link"
      onClose={onClose}
      label="Sign-in link"
      make={() => withFresh(() => call<Link>('POST', '/members/{memberId}/sign-in-link', { memberId: member.id }))}
    >
      Whoever opens this link is signed in as <strong>{member.email}</strong>. It works once and expires in 15 minutes.
      Earlier links stop working.
    </MakeLink>
  );
}

export function Reinvite({ row: member, onClose }: RowDialogProps<Member>) {
  return (
    <MakeLink
      title="Create new invitation"
      onClose={onClose}
      label="Invitation"
      make={async () => {
        const { invitation } = await withFresh(() => roster.reinviteMember({ memberId: member.id }));
        return invitation;
      }}
    >
      A new link for <strong>{member.email}</strong>, valid for seven days. The earlier one stops working.
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
  const [link, setLink] = useState<Link>();
  const action = useAction(async () => setLink((await make()) ?? undefined));
  return (
    <FormDialog
      title={title}
      action={action}
      verb="Create link"
      isMaking
      made={link && { title, shown: <PassOn label={label} link={link} /> }}
      onClose={onClose}
    >
      <p class="prose">
        <span>{children}</span>
      </p>
    </FormDialog>
  );
}

export function HandOver({ row: member, onClose }: RowDialogProps<Member>) {
  const session = useSession();
  return (
    <Confirm
      title="Transfer ownership?"
      verb="Transfer"
      typed={member.email}
      onClose={onClose}
      perform={async () => {
        await withFresh(() => call('POST', '/members/{memberId}/transfer', { memberId: member.id }));
        toast(`${member.email} is now the Owner`);
      }}
    >
      <p>
        <strong>{member.email}</strong> becomes the Owner of {session.project.name}. You become an Admin, and sign in
        again. Only they can transfer it back.
      </p>
    </Confirm>
  );
}

export function SignOut({ row: member, onClose }: RowDialogProps<Member>) {
  const [passkeys, setPasskeys] = useState(false);
  return (
    <Confirm
      title="Sign out everywhere?"
      verb="Sign out"
      onClose={onClose}
      perform={async () => {
        await withFresh(() => call('POST', '/members/{memberId}/sign-out', { memberId: member.id, passkeys }));
        toast(`${member.email} signed out`);
      }}
    >
      <p>
        All sessions of <strong>{member.email}</strong> end. They can sign in again.
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

export function Remove({ row: member, onClose }: RowDialogProps<Member>) {
  const isActive = member.status === 'Active';
  const [isKept, setKept] = useState(false);
  const { data: beyond, error } = useQuery(['members', member.id, 'removal'], (signal) =>
    roster.removeMember({ memberId: member.id, dry_run: true }, { signal }),
  );
  return (
    <Confirm
      title={isActive ? 'Remove member?' : 'Withdraw invitation?'}
      verb={isActive ? 'Remove' : 'Withdraw'}
      isReady={beyond !== undefined}
      onClose={onClose}
      perform={async () => {
        await withFresh(() => roster.removeMember({ memberId: member.id, keep_keys: isKept }));
        toast(isActive ? `${member.email} removed` : 'Invitation withdrawn');
      }}
    >
      {isActive ? (
        <p>
          <strong>{member.email}</strong> is signed out everywhere and loses access.
        </p>
      ) : (
        <p>
          The invitation link of <strong>{member.email}</strong> stops working at once.
        </p>
      )}
      <Consequences beyond={beyond} isKept={isKept} onKept={setKept} />
      <ErrorNote error={error} />
    </Confirm>
  );
}

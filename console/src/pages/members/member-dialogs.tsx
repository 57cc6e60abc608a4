import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

import { api } from '../../api.ts';
import { withFresh } from '../../fresh.tsx';
import { useSession } from '../../session.tsx';
import type { Link, Member } from '../../types.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorNote } from '../../ui/failed.tsx';
import { DialogForm } from '../../ui/form.tsx';
import type { RowDialogProps } from '../../ui/table.tsx';
import { toast } from '../../ui/toast.tsx';
import { useAction } from '../../use-action.ts';
import { PassOn } from './pass-on.tsx';

const pathOf = ({ id }: Member) => `/members/${encodeURIComponent(id)}`;

export function SignInLink({ row: member, onClose }: RowDialogProps<Member>) {
  return (
    <MakeLink
      title="Make a sign-in link"
      onClose={onClose}
      label="Sign-in link"
      make={() => withFresh(() => api.post<Link>(`${pathOf(member)}/sign-in-link`, { body: {} }))}
    >
      This link signs somebody in as <strong>{member.email}</strong>. It works once and expires in 15 minutes. An
      earlier link stops working.
    </MakeLink>
  );
}

export function Reinvite({ row: member, onClose, onDone }: RowDialogProps<Member>) {
  return (
    <MakeLink
      title="Make a new invitation"
      onClose={onClose}
      label="Invitation"
      make={async () => {
        const path = `${pathOf(member)}/invitation`;
        const { invitation } = await withFresh(() => api.post<{ invitation: Link }>(path, { body: {} }));
        onDone();
        return invitation;
      }}
    >
      A new link for <strong>{member.email}</strong>, for seven days. The earlier one stops working.
    </MakeLink>
  );
}

interface MakeLinkProps {
  title: string;
  label: string;
  make: () => Promise<Link>;
  onClose: () => void;
  children: ComponentChildren;
}

function MakeLink({ title, label, make, onClose, children }: MakeLinkProps) {
  const [link, setLink] = useState<Link>();
  const action = useAction(async () => setLink(await make()));
  return (
    <Dialog title={title} isHeld={link !== undefined || action.isBusy} onClose={onClose}>
      {link ? (
        <PassOn label={label} link={link} onClose={onClose} />
      ) : (
        <DialogForm action={action} verb="Make the link" isHeld onClose={onClose}>
          <p class="prose">
            <span>{children}</span>
          </p>
          <ErrorNote error={action.error} />
        </DialogForm>
      )}
    </Dialog>
  );
}

export function HandOver({ row: member, onClose, onDone }: RowDialogProps<Member>) {
  const session = useSession();
  return (
    <Confirm
      title="Hand the project over?"
      verb="Hand over"
      typed={member.email}
      onClose={onClose}
      perform={async () => {
        await withFresh(() => api.post(`${pathOf(member)}/transfer`, { body: {} }));
        toast(`${member.email} is the Owner now`);
        onDone();
        session.reload();
      }}
    >
      <p>
        <strong>{member.email}</strong> becomes the Owner of {session.project.name}. You become an Admin, and sign in
        again. Only they can hand it back.
      </p>
    </Confirm>
  );
}

export function Remove({ row: member, onClose, onDone }: RowDialogProps<Member>) {
  const isActive = member.status === 'Active';
  return (
    <Confirm
      title={isActive ? 'Remove the member?' : 'Withdraw the invitation?'}
      verb={isActive ? 'Remove' : 'Withdraw'}
      onClose={onClose}
      perform={async () => {
        await api.del(pathOf(member));
        toast(isActive ? `${member.email} was removed` : 'The invitation was withdrawn');
        onDone();
      }}
    >
      {isActive ? (
        <p>
          <strong>{member.email}</strong> is signed out everywhere and gets in no more. Keys that they made stop
          working.
        </p>
      ) : (
        <p>
          The link of <strong>{member.email}</strong> stops working at once.
        </p>
      )}
    </Confirm>
  );
}

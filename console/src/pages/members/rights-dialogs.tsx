import { useState } from 'preact/hooks';

import { roster } from '../../api.ts';
import { useNames } from '../../names.ts';
import { useQuery } from '../../query.ts';
import { useSession } from '../../session.tsx';
import type { Member, Revocations } from '../../types.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { ErrorNote } from '../../ui/failed.tsx';
import { Check, Checks } from '../../ui/field.tsx';
import { FormDialog, useForm } from '../../ui/form.tsx';
import type { RowDialogProps } from '../../ui/table.tsx';
import { type GivenRole, givenRoles } from './roles.ts';

export function ChangeRoles({ row: member, onClose }: RowDialogProps<Member>) {
  const session = useSession();
  const form = useForm(
    { roles: member.roles as GivenRole[], keep_keys: false },
    async (given) => {
      await roster.updateMember({ memberId: member.id, ...given });
      return `${member.email}: ${given.roles.join(', ')}`;
    },
    onClose,
  );
  const { roles } = form.values;
  const isSelf = member.id === session.member.id;
  const losesOwn = isSelf && member.roles.some((role) => !roles.some((one) => one === role));
  // Show what ends with these roles before saving them.
  const { data: beyond, error } = useQuery(['members', member.id, ...roles], async (signal) =>
    roles.length === 0 ? undefined : roster.updateMember({ memberId: member.id, roles, dry_run: true }, { signal }),
  );
  const field = form.field('roles');
  return (
    <FormDialog
      title="Change roles"
      action={form}
      verb="Save"
      isReady={roles.length > 0 && beyond !== undefined}
      error={error}
      onClose={onClose}
    >
      <Checks
        label={`Roles of ${member.email}`}
        hint="A member can do what any of their roles allows."
        choices={givenRoles}
        {...field}
        error={roles.length === 0 ? 'Choose at least one' : field.error}
      />
      {losesOwn && <p class="note note-warn">You are removing a role of your own. You will have to sign in again.</p>}
      <Consequences beyond={beyond} {...form.field('keep_keys')} />
    </FormDialog>
  );
}

export function Remove({ row: { id: memberId, email, status }, onClose }: RowDialogProps<Member>) {
  const isActive = status === 'Active';
  const [isKept, setKept] = useState(false);
  const { data: beyond, error } = useQuery(['members', memberId, 'removal'], (signal) =>
    roster.removeMember({ memberId, dry_run: true }, { signal }),
  );
  return (
    <Confirm
      title={isActive ? 'Remove member?' : 'Withdraw invitation?'}
      verb={isActive ? 'Remove' : 'Withdraw'}
      isReady={beyond !== undefined}
      onClose={onClose}
      perform={async () => {
        await roster.removeMember({ memberId, keep_keys: isKept });
        return isActive ? `${email} removed` : 'Invitation withdrawn';
      }}
    >
      <p>
        {!isActive && 'The invitation link of '}
        <strong>{email}</strong>
        {isActive ? ' is signed out everywhere and loses access.' : ' stops working at once.'}
      </p>
      <Consequences beyond={beyond} value={isKept} onValue={setKept} />
      <ErrorNote error={error} />
    </Confirm>
  );
}

interface ConsequencesProps {
  beyond: Revocations | undefined;
  value: boolean;
  onValue: (isKept: boolean) => void;
}

/** Keys and invitations that end with the rights taken away, and a choice to keep them. */
function Consequences({ beyond, value, onValue }: ConsequencesProps) {
  const names = useNames();
  const { keys = [], invitations = [] } = beyond ?? {};
  if (keys.length + invitations.length === 0) return null;
  return (
    <div class="note note-warn">
      <div>
        <p>This also ends what they created:</p>
        <ul>
          {keys.map((id) => (
            <li key={id}>
              Key <strong>{names.keys.get(id) ?? id}</strong>: revoked
            </li>
          ))}
          {invitations.map((id) => (
            <li key={id}>
              Invitation of <strong>{names.members.get(id) ?? id}</strong>: withdrawn
            </li>
          ))}
        </ul>
        <Check label="Keep these keys and invitations" isOn={value} onChange={onValue} />
      </div>
    </div>
  );
}

import { useState } from 'preact/hooks';

import { roster } from '../../api.ts';
import { withFresh } from '../../fresh.tsx';
import { useQuery } from '../../query.ts';
import { useSession } from '../../session.tsx';
import type { Member } from '../../types.ts';
import { Checks } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form.tsx';
import type { RowDialogProps } from '../../ui/table.tsx';
import { toast } from '../../ui/toast.tsx';
import { useAction } from '../../use-action.ts';
import { Consequences } from './consequences.tsx';
import { type GivenRole, givenRoles } from './roles.ts';

export function ChangeRoles({ row: member, onClose }: RowDialogProps<Member>) {
  const session = useSession();
  const [roles, setRoles] = useState(member.roles as GivenRole[]);
  const isSelf = member.id === session.member.id;
  const losesOwn = isSelf && member.roles.some((role) => !roles.some((one) => one === role));
  const [isKept, setKept] = useState(false);
  const input = { memberId: member.id, roles };
  // Show what ends with these roles before saving them.
  const { data: beyond, error } = useQuery(['members', member.id, ...roles], async (signal) =>
    roles.length === 0 ? undefined : roster.updateMember({ ...input, dry_run: true }, { signal }),
  );
  const action = useAction(async () => {
    await withFresh(() => roster.updateMember({ ...input, keep_keys: isKept }));
    toast(`${member.email}: ${roles.join(', ')}`);
    onClose();
  });
  return (
    <FormDialog
      title="Change roles"
      action={action}
      verb="Save"
      isReady={roles.length > 0 && beyond !== undefined}
      fields={['roles']}
      error={error}
      onClose={onClose}
    >
      <Checks
        label={`Roles of ${member.email}`}
        hint="A member can do what any of their roles allows."
        choices={givenRoles}
        chosen={roles}
        onChosen={setRoles}
        error={roles.length === 0 ? 'Choose at least one' : action.errorOf('roles')}
      />
      {losesOwn && <p class="note note-warn">You are removing a role of your own. You will have to sign in again.</p>}
      <Consequences beyond={beyond} isKept={isKept} onKept={setKept} />
    </FormDialog>
  );
}

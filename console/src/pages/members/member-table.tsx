import { useSession } from '../../session.tsx';
import type { Member } from '../../types.ts';
import { Badge } from '../../ui/badge.tsx';
import { type RowAction, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { ChangeRoles } from './change-roles.tsx';
import { HandOver, Reinvite, Remove, SignInLink, SignOut } from './member-dialogs.tsx';

export function MemberTable({ members }: { members: readonly Member[] }) {
  const session = useSession();
  return (
    <Table
      rows={members}
      nameOf={({ email }) => email}
      columns={{
        Member: ({ id, email }) => (
          <span class="row">
            {email}
            {id === session.member.id && <Badge>You</Badge>}
          </span>
        ),
        Roles: ({ roles }) => (
          <span class="row row-tight">
            {roles.map((role) => (
              <Badge key={role} tone={role === 'Owner' ? 'accent' : 'plain'}>
                {role}
              </Badge>
            ))}
          </span>
        ),
        Status: (member) => <Status member={member} />,
      }}
      actionsOf={(member) => actionsFor(member, session)}
    />
  );
}

function Status({ member: { status, invited_at: invited, joined_at: joined } }: { member: Member }) {
  const isPending = status === 'Pending';
  const since = isPending ? invited : joined;
  return (
    <span class="row row-tight">
      <Badge tone={isPending ? 'warn' : 'good'}>{status}</Badge>
      {since !== null && (
        <span class="soft small">
          {isPending ? 'invited' : 'joined'} <Time value={since} />
        </span>
      )}
    </span>
  );
}

type Rights = Pick<ReturnType<typeof useSession>, 'can' | 'member'>;

/** Actions of the signed-in member on another member, or on themselves. */
function actionsFor(member: Member, { can, member: self }: Rights): (RowAction<Member> | false)[] {
  const isActive = member.status === 'Active';
  const isOwner = member.roles.includes('Owner');
  const mayWrite = can('members:write');
  return [
    mayWrite && !isOwner && { label: 'Change roles', dialog: ChangeRoles },
    isActive && (member.id === self.id || can('ownership')) && { label: 'Make a sign-in link', dialog: SignInLink },
    mayWrite && !isActive && (!isOwner || can('ownership')) && { label: 'Make a new invitation', dialog: Reinvite },
    isActive &&
      can('administration') &&
      (!isOwner || can('ownership')) && { label: 'Sign out everywhere', dialog: SignOut },
    can('ownership') && isActive && !isOwner && { label: 'Hand the project over', dialog: HandOver },
    mayWrite && !isOwner && { label: isActive ? 'Remove' : 'Withdraw the invitation', dialog: Remove, isDanger: true },
  ];
}

import { useSession } from '../../session.tsx';
import { Badge } from '../../ui/badge.tsx';
import { type RowAction, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { ChangeRoles } from './change-roles.tsx';
import { HandOver, Reinvite, Remove, SignInLink, SignOut } from './member-dialogs.tsx';
import type { ListedMember } from './members.tsx';

export function MemberTable({ members }: { members: readonly ListedMember[] }) {
  const session = useSession();
  return (
    <Table
      rows={members}
      nameOf={({ email }) => email}
      columns={{
        Member: ({ id, email }) => (
          <span class="row">
            <bdi>{email}</bdi>
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
        'Signs in with': ({ status, has_passkey: hasPasskey = false }) =>
          status === 'Active' && <span class="soft">{hasPasskey ? 'Passkey' : 'Links only'}</span>,
      }}
      actionsOf={(member) => actionsFor(member, session)}
    />
  );
}

function Status({ member }: { member: ListedMember }) {
  const { status, last_seen_at: seen = null, invitation_expires_at: end = null } = member;
  if (status === 'Active') {
    if (seen === null) return <span class="soft">Not signed in</span>;
    return (
      <span>
        Seen <Time value={seen} />
      </span>
    );
  }
  const isOver = end === null || Date.parse(end) <= Date.now();
  return (
    <span class="row row-tight">
      <Badge tone="warn">Pending</Badge>
      <span class="soft small">
        {isOver ? 'invitation expired' : 'expires'} {end !== null && <Time value={end} />}
      </span>
    </span>
  );
}

type Rights = Pick<ReturnType<typeof useSession>, 'can' | 'member'>;

/** Actions of the signed-in member on another member, or on themselves. */
function actionsFor(member: ListedMember, { can, member: self }: Rights): (RowAction<ListedMember> | false)[] {
  const isActive = member.status === 'Active';
  const isOwner = member.roles.includes('Owner');
  const mayWrite = can('members:write');
  return [
    mayWrite && !isOwner && { label: 'Change roles', dialog: ChangeRoles },
    isActive && (member.id === self.id || can('ownership')) && { label: 'Create sign-in link', dialog: SignInLink },
    mayWrite && !isActive && (!isOwner || can('ownership')) && { label: 'Create new invitation', dialog: Reinvite },
    isActive &&
      can('administration') &&
      (!isOwner || can('ownership')) && { label: 'Sign out everywhere', dialog: SignOut },
    can('ownership') && isActive && !isOwner && { label: 'Transfer ownership', dialog: HandOver },
    mayWrite && !isOwner && { label: isActive ? 'Remove' : 'Withdraw invitation', dialog: Remove, isDanger: true },
  ];
}

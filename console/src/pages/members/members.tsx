import { useState } from 'preact/hooks';

import { call, roster } from '../../api.ts';
import { useMembers } from '../../names.ts';
import { useQuery } from '../../query.ts';
import { useSession } from '../../session.tsx';
import type { Access, Member } from '../../types.ts';
import { Badge } from '../../ui/badge.tsx';
import { ListPage } from '../../ui/list-page.tsx';
import { type RowAction, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { seatsSentence } from '../../usage.ts';
import { HandOver, Invite, Reinvite, SignInLink, SignOut } from './member-dialogs.tsx';
import { ChangeRoles, Remove } from './rights-dialogs.tsx';

/** So few need no search. */
const fewMax = 7;

type ListedMember = Member & Partial<Access>;

export function Members() {
  const { can, project } = useSession();
  const [text, setText] = useState('');
  const loaded = useMembers();
  const access = useQuery(['members', 'access'], (signal) =>
    call<{ access: Access[] }>('GET', '/members/access', {}, { signal }),
  );
  const { data: seats } = useQuery(['usage', 'seats'], (signal) => roster.retrieveUserSeats({ signal }));
  const accessOf = new Map(access.data?.access.map((one) => [one.member_id, one]));
  const { data: members = [] } = loaded;
  const shown = members.filter((member) => isMeant(member, text));
  return (
    <ListPage
      title="Members"
      about={seats && seatsSentence(seats)}
      code={`roster members invite grace@example.com --project ${project.id} --role Editor`}
      loaded={access.data ? loaded : access}
      count={loaded.data?.length}
      create={can('members:write') && { label: 'Invite', dialog: Invite }}
    >
      {members.length > fewMax && (
        <input
          type="search"
          class="input narrow"
          aria-label="Filter members"
          placeholder="Filter by e-mail, role or status"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      )}
      {shown.length > 0 && <MemberTable members={shown.map((member) => ({ ...member, ...accessOf.get(member.id) }))} />}
      {shown.length === 0 && <p class="soft">No member matches.</p>}
      {members.length === 1 && (
        <p class="prose soft">
          You are the only member. Invite the people you work with: you get a link to share with them. Roster sends no
          e-mail.
        </p>
      )}
    </ListPage>
  );
}

/** Whether each word is in the address, a role or the status. */
function isMeant({ email, roles, status }: Member, text: string): boolean {
  const about = [email, ...roles, status].join(' ').toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => about.includes(word));
}

function MemberTable({ members }: { members: readonly ListedMember[] }) {
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
          <span class="row tight">
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
    <span class="row tight">
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

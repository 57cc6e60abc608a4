import type { VNode } from 'preact';
import { useState } from 'preact/hooks';

import { useSession } from '../../session.tsx';
import type { Member } from '../../types.ts';
import { Badge } from '../../ui/badge.tsx';
import { Menu, type MenuItem } from '../../ui/menu.tsx';
import { Time } from '../../ui/time.tsx';
import { ChangeRoles } from './change-roles.tsx';
import { HandOver, Reinvite, Remove, SignInLink } from './member-dialogs.tsx';

export interface MemberDialogProps {
  member: Member;
  onClose: () => void;
  onDone: () => void;
}

type Dialogs = 'roles' | 'link' | 'invitation' | 'owner' | 'remove';

const dialogs: Record<Dialogs, (props: MemberDialogProps) => VNode> = {
  roles: ChangeRoles,
  link: SignInLink,
  invitation: Reinvite,
  owner: HandOver,
  remove: Remove,
};

export function MemberTable({ members, changed }: { members: readonly Member[]; changed: () => void }) {
  const [open, setOpen] = useState<{ what: Dialogs; member: Member }>();
  const Opened = open && dialogs[open.what];
  return (
    <div class="card table-card">
      <table class="table">
        <thead>
          <tr>
            <th scope="col">Member</th>
            <th scope="col">Roles</th>
            <th scope="col">Status</th>
            <th scope="col">
              <span class="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {members.map((member) => (
            <Row key={member.id} member={member} open={(what) => setOpen({ what, member })} />
          ))}
        </tbody>
      </table>
      {open && Opened && <Opened member={open.member} onClose={() => setOpen(undefined)} onDone={changed} />}
    </div>
  );
}

function Row({ member, open }: { member: Member; open: (what: Dialogs) => void }) {
  const session = useSession();
  const items = itemsFor(member, session, open);
  return (
    <tr>
      <td class="table-main">
        <span class="row">
          {member.email}
          {member.id === session.member.id && <Badge>You</Badge>}
        </span>
      </td>
      <td data-label="Roles">
        <span class="row row-tight">
          {member.roles.map((role) => (
            <Badge key={role} tone={role === 'Owner' ? 'accent' : 'plain'}>
              {role}
            </Badge>
          ))}
        </span>
      </td>
      <td data-label="Status">
        <Status member={member} />
      </td>
      <td class="table-end">{items.length > 0 && <Menu label={`Actions for ${member.email}`} items={items} />}</td>
    </tr>
  );
}

function Status({ member: { status, invited_at: invited, joined_at: joined } }: { member: Member }) {
  if (status === 'Pending') {
    return (
      <span class="row row-tight">
        <Badge tone="warn">Pending</Badge>
        {invited !== null && (
          <span class="soft small">
            invited <Time value={invited} />
          </span>
        )}
      </span>
    );
  }
  return (
    <span class="row row-tight">
      <Badge tone="good">Active</Badge>
      {joined !== null && (
        <span class="soft small">
          joined <Time value={joined} />
        </span>
      )}
    </span>
  );
}

type Rights = Pick<ReturnType<typeof useSession>, 'can' | 'member'>;

/** What the member who is signed in may do with another one, or with themselves. */
function itemsFor(member: Member, { can, member: self }: Rights, open: (what: Dialogs) => void): MenuItem[] {
  const isActive = member.status === 'Active';
  const isOwner = member.roles.includes('Owner');
  const mayWrite = can('members:write');
  const items: (MenuItem & { isAllowed: boolean })[] = [
    { label: 'Change roles', run: () => open('roles'), isAllowed: mayWrite && !isOwner },
    {
      label: 'Make a sign-in link',
      run: () => open('link'),
      isAllowed: isActive && (member.id === self.id || can('ownership')),
    },
    { label: 'Make a new invitation', run: () => open('invitation'), isAllowed: mayWrite && !isActive },
    { label: 'Hand the project over', run: () => open('owner'), isAllowed: can('ownership') && isActive && !isOwner },
    {
      label: isActive ? 'Remove' : 'Withdraw the invitation',
      isDanger: true,
      run: () => open('remove'),
      isAllowed: mayWrite && !isOwner,
    },
  ];
  return items.filter(({ isAllowed }) => isAllowed);
}

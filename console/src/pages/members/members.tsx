import { useState } from 'preact/hooks';

import { call, roster } from '../../api.ts';
import { useFocusAfterRemoval } from '../../layout/focus.ts';
import { useQuery } from '../../query.ts';
import { useSession } from '../../session.tsx';
import type { Access, Member } from '../../types.ts';
import { Button } from '../../ui/button.tsx';
import { NotLoaded } from '../../ui/failed.tsx';
import { useKeys } from '../../ui/keys.ts';
import { PageHead } from '../../ui/page-head.tsx';
import { seatsSentence } from '../../usage.ts';
import { Invite } from './invite.tsx';
import { MemberTable } from './member-table.tsx';

/** More are found by the command line. */
const membersMax = 1_000;
/** So few need no search. */
const fewMax = 7;
const include = ['id', 'invited_at', 'joined_at'] as const;

export type ListedMember = Member & Partial<Access>;

function useMembers() {
  return useQuery(['members', 'list'], async (signal) => {
    const [{ access }, seats] = await Promise.all([
      call<{ access: Access[] }>('GET', '/members/access', {}, { signal }),
      roster.retrieveUserSeats({ signal }),
    ]);
    const accessOf = new Map(access.map((one) => [one.member_id, one]));
    const members: ListedMember[] = [];
    for await (const member of roster.listMembers({ per_page: 100, include }, { signal })) {
      const known = member as Member;
      if (members.push({ ...known, ...accessOf.get(known.id) }) === membersMax) break;
    }
    return { members, seats };
  });
}

export function Members() {
  const { can, project } = useSession();
  const [text, setText] = useState('');
  const [isInviting, setInviting] = useState(false);
  const { data, error, reload } = useMembers();
  useFocusAfterRemoval(data?.members.length);
  const mayInvite = can('members:write');
  useKeys(mayInvite ? [{ keys: 'n', label: 'Invite a member', run: () => setInviting(true) }] : []);
  const shown = data?.members.filter((member) => isMeant(member, text)) ?? [];

  return (
    <>
      <PageHead
        title="Members"
        about={data && seatsSentence(data.seats)}
        code={`roster members invite grace@example.com --project ${project.id} --role Editor`}
      >
        {mayInvite && (
          <Button kind="primary" icon="plus" onClick={() => setInviting(true)}>
            Invite
          </Button>
        )}
      </PageHead>
      {!data && <NotLoaded error={error} retry={reload} />}
      {data && (
        <div class="stack">
          {data.members.length > fewMax && (
            <input
              type="search"
              class="input member-search"
              aria-label="Filter members"
              placeholder="Filter by e-mail, role or status"
              value={text}
              onInput={(event) => setText(event.currentTarget.value)}
            />
          )}
          {shown.length > 0 && <MemberTable members={shown} />}
          {shown.length === 0 && <p class="soft">No member matches.</p>}
          {data.members.length === 1 && <FirstStep />}
        </div>
      )}
      {isInviting && <Invite onClose={() => setInviting(false)} />}
    </>
  );
}

/** Whether each word is in the address, a role or the status. */
function isMeant({ email, roles, status }: ListedMember, text: string): boolean {
  const about = [email, ...roles, status].join(' ').toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => about.includes(word));
}

function FirstStep() {
  return (
    <p class="hint">
      You are the only member. Invite the people you work with: you get a link to share with them. Roster sends no
      e-mail.
    </p>
  );
}

import { useState } from 'preact/hooks';

import { roster } from '../../api.ts';
import { useFocusAfterRemoval } from '../../layout/focus.ts';
import { useQuery } from '../../query.ts';
import { useSession } from '../../session.tsx';
import type { Member } from '../../types.ts';
import { Button } from '../../ui/button.tsx';
import { NotLoaded } from '../../ui/failed.tsx';
import { useKeys } from '../../ui/keys.ts';
import { PageHead } from '../../ui/page-head.tsx';
import { Pager } from '../../ui/pager.tsx';
import { seatsSentence } from '../../usage.ts';
import { Invite } from './invite.tsx';
import { MemberTable } from './member-table.tsx';

const whole = { per_page: 100, include: ['id', 'invited_at', 'joined_at'] } as const;

export function Members() {
  const { can, project } = useSession();
  const [page, setPage] = useState(1);
  const [isInviting, setInviting] = useState(false);
  const { data, error, reload } = useQuery(['members', 'page', String(page)], async (signal) => {
    const [{ pages, members }, seats] = await Promise.all([
      roster.listMembers({ ...whole, page }, { signal }),
      roster.retrieveUserSeats({ signal }),
    ]);
    return { pages, members: members as Member[], seats };
  });
  useFocusAfterRemoval(data?.members.length);
  const mayInvite = can('members:write');
  useKeys(mayInvite ? [{ keys: 'n', label: 'Invite somebody', run: () => setInviting(true) }] : []);

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
          <MemberTable members={data.members} />
          <Pager page={data.pages.current_page} last={data.pages.last_page} go={setPage} />
          {data.members.length === 1 && data.pages.last_page === 1 && <FirstStep />}
        </div>
      )}
      {isInviting && <Invite onClose={() => setInviting(false)} />}
    </>
  );
}

function FirstStep() {
  return (
    <div class="hint">
      <p>
        You are alone here. Invite the people you work with: Roster makes a link, and you pass it on. It sends no
        e-mail.
      </p>
    </div>
  );
}

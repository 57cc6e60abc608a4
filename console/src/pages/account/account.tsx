import { useState } from 'preact/hooks';

import { call, statusOf } from '../../api.ts';
import { deviceOf } from '../../device.ts';
import { useFocusAfterRemoval } from '../../layout/focus.ts';
import { useQuery } from '../../query.ts';
import { useSession } from '../../session.tsx';
import type { Link, OpenSession } from '../../types.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card, Item } from '../../ui/card.tsx';
import { ErrorNote } from '../../ui/failed.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { Time } from '../../ui/time.tsx';
import { toast } from '../../ui/toast.tsx';
import { useAction } from '../../use-action.ts';
import { PassOn } from '../members/pass-on.tsx';
import { Passkeys } from './passkeys.tsx';

export function Account() {
  const { member, project } = useSession();
  return (
    <>
      <PageHead
        title="Account"
        code={`roster console link --member ${member.email}`}
        about={
          <>
            <strong>{member.email}</strong>, {member.roles.join(', ')} of {project.name}
          </>
        }
      />
      <div class="cards">
        <Passkeys />
        <OtherDevice />
        <Sessions />
      </div>
    </>
  );
}

function OtherDevice() {
  const { member } = useSession();
  const [link, setLink] = useState<Link>();
  const action = useAction(async () =>
    setLink(await call<Link>('POST', '/members/{memberId}/sign-in-link', { memberId: member.id })),
  );
  return (
    <Card
      title="Another device"
      about="Create a link and open it on your other device. It signs you in once. Share it with nobody."
      actions={
        <Button isBusy={action.isBusy} onClick={() => void action.run()}>
          {link ? 'Create another link' : 'Create sign-in link'}
        </Button>
      }
    >
      <ErrorNote error={action.error} />
      <div aria-live="polite">
        {link && <PassOn label="Sign-in link" link={link} hint="Copy it now: it is not shown again." />}
      </div>
    </Card>
  );
}

const methods: Record<OpenSession['method'], string> = {
  link: 'with a link',
  passkey: 'with a passkey',
  invitation: 'by invitation',
};

/** It had ended already, which is what was wanted. */
function unlessGone(error: unknown): void {
  if (statusOf(error) !== 404) throw error;
}

function Sessions() {
  const { data, error } = useQuery(['sessions'], (signal) =>
    call<{ sessions: OpenSession[] }>('GET', '/sessions', {}, { signal }),
  );
  const sessions = data?.sessions ?? [];
  useFocusAfterRemoval(sessions.length);
  const others = sessions.filter((one) => !one.is_current);
  const end = useAction(async (ended: readonly OpenSession[]) => {
    await Promise.all(
      ended.map(({ id }) => call('DELETE', '/sessions/{sessionId}', { sessionId: id }).catch(unlessGone)),
    );
    toast(ended.length === 1 ? 'Session ended' : `${ended.length} sessions ended`);
  });
  return (
    <Card
      title="Sessions"
      about="Where you are signed in. End any you do not recognise."
      isFlush
      actions={
        others.length > 1 && (
          <Button isBusy={end.isBusy} onClick={() => void end.run(others)}>
            End all others
          </Button>
        )
      }
    >
      <ErrorNote error={error ?? end.error} />
      <ul>
        {sessions.map((one) => (
          <Item
            key={one.id}
            title={
              <>
                {deviceOf(one.user_agent)}
                {one.is_current && <Badge tone="good">This device</Badge>}
              </>
            }
            about={
              <>
                Signed in {methods[one.method]} <Time value={one.created_at} />, used <Time value={one.last_used_at} />
              </>
            }
          >
            {!one.is_current && (
              <Button isSmall aria-label={`End ${deviceOf(one.user_agent)}`} onClick={() => void end.run([one])}>
                End
              </Button>
            )}
          </Item>
        ))}
      </ul>
    </Card>
  );
}

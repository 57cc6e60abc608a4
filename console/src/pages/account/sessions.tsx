import { call, statusOf } from '../../api.ts';
import { deviceOf } from '../../device.ts';
import { useFocusAfterRemoval } from '../../layout/focus.ts';
import { useQuery } from '../../query.ts';
import type { OpenSession } from '../../types.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card, Item } from '../../ui/card.tsx';
import { ErrorNote } from '../../ui/failed.tsx';
import { Time } from '../../ui/time.tsx';
import { toast } from '../../ui/toast.tsx';
import { useAction } from '../../use-action.ts';

const methods: Record<OpenSession['method'], string> = {
  link: 'with a link',
  passkey: 'with a passkey',
  invitation: 'by invitation',
};

/** It had ended already, which is what was wanted. */
const isGone = (error: unknown) => statusOf(error) === 404;

export function Sessions() {
  const { data, error, set } = useQuery(['sessions'], (signal) =>
    call<{ sessions: OpenSession[] }>('GET', '/sessions', {}, { signal }),
  );
  const sessions = data?.sessions ?? [];
  useFocusAfterRemoval(sessions.length);
  const others = sessions.filter((one) => !one.is_current);
  const end = useAction(async (ended: readonly OpenSession[]) => {
    const answers = await Promise.allSettled(
      ended.map(({ id }) => call('DELETE', '/sessions/{sessionId}', { sessionId: id })),
    );
    for (const answer of answers) if (answer.status === 'rejected' && !isGone(answer.reason)) throw answer.reason;
    set({ sessions: sessions.filter((one) => !ended.includes(one)) });
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

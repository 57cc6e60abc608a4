import { useEffect, useState } from 'preact/hooks';

import { doerOf, useNames } from '../../names.ts';
import { useSession } from '../../session.tsx';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/failed.tsx';
import { Time } from '../../ui/time.tsx';
import { deedOf, type History, lookFurther, noHistory } from './history.ts';

interface HistoryCardProps {
  chatbotId: string;
  contactId: string;
  /** Another one after each change, of which the history tells. */
  state: string;
}

export function HistoryCard(props: HistoryCardProps) {
  const { can } = useSession();
  return (
    <section class="card" aria-labelledby="history-title">
      <h2 id="history-title">History</h2>
      {can('events:read') ? <Events {...props} /> : <p class="soft">Your roles do not show the history.</p>}
    </section>
  );
}

function Events({ chatbotId, contactId, state }: HistoryCardProps) {
  const [history, setHistory] = useState<History>(noHistory);
  const [error, setError] = useState<Error>();
  const [round, setRound] = useState(0);
  const names = useNames();
  useEffect(() => {
    const stop = new AbortController();
    setError(undefined);
    lookFurther(history, chatbotId, contactId, stop.signal).then(setHistory, (thrown: Error) => {
      if (!stop.signal.aborted) setError(thrown);
    });
    return () => stop.abort();
  }, [chatbotId, contactId, state, round]);
  const { events, isWhole, upTo } = history;
  return (
    <>
      <ol class="history">
        {events.map((event) => (
          <li key={event.id}>
            <span class="history-deed">{deedOf(event)}</span>
            <span class="soft small">
              {doerOf(event, names)}, <Time value={event.occurred_at} />
            </span>
          </li>
        ))}
      </ol>
      {events.length === 0 && isWhole && <p class="soft">Nothing has happened that is still kept.</p>}
      {!isWhole && upTo !== undefined && (
        <div class="row">
          <span class="soft small">
            Looked through until <Time value={upTo} />
          </span>
          <Button isSmall onClick={() => setRound(round + 1)}>
            Look further
          </Button>
        </div>
      )}
      <ErrorNote error={error} />
    </>
  );
}

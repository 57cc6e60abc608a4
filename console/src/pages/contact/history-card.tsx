import { doerOf, useNames } from '../../names.ts';
import { useQuery } from '../../query.ts';
import { useSession } from '../../session.tsx';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/failed.tsx';
import { Loading } from '../../ui/loading.tsx';
import { Time } from '../../ui/time.tsx';
import { useAction } from '../../use-action.ts';
import { deedOf, historyOf } from './history.ts';

interface HistoryCardProps {
  chatbotId: string;
  contactId: string;
}

export function HistoryCard(props: HistoryCardProps) {
  const { can } = useSession();
  return (
    <section class="card" aria-labelledby="history-title">
      <h2 id="history-title">History</h2>
      {can('events:read') ? <Events {...props} /> : <p class="soft">Your roles do not let you see the history.</p>}
    </section>
  );
}

function Events(whose: HistoryCardProps) {
  const { data, error, set } = useQuery(['contacts', whose.chatbotId, whose.contactId, 'events'], (signal) =>
    historyOf(whose, undefined, signal),
  );
  const further = useAction(async () => {
    const { events = [], before } = data ?? {};
    const more = await historyOf(whose, before ?? undefined);
    set({ ...more, events: [...events, ...more.events] });
  });
  const names = useNames();
  if (!data) return error ? <ErrorNote error={error} /> : <Loading />;
  const { events, before } = data;
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
      {events.length === 0 && before === null && <p class="soft">Roster has no events of this contact any more.</p>}
      {before !== null && (
        <Button isSmall isBusy={further.isBusy} onClick={() => void further.run()}>
          Look further back
        </Button>
      )}
      <ErrorNote error={error ?? further.error} />
    </>
  );
}

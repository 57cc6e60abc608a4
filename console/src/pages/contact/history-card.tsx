import { roster } from '../../api.ts';
import { doerOf, useNames } from '../../names.ts';
import { useQuery } from '../../query.ts';
import type { Event } from '../../types.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { ErrorNote } from '../../ui/failed.tsx';
import { Loading } from '../../ui/loading.tsx';
import { Time } from '../../ui/time.tsx';
import { useAction } from '../../use-action.ts';
import { labelOf } from './fields.ts';

interface HistoryCardProps {
  chatbotId: string;
  contactId: string;
}

const atOnce = 20;

/** Who changed which fields of the contact, and when. */
export function HistoryCard({ chatbotId, contactId }: HistoryCardProps) {
  const eventsAfter = (after: string | undefined, signal?: AbortSignal) => {
    const filter = { chatbot_id: chatbotId, contact_id: contactId, order: 'desc', limit: atOnce } as const;
    return roster.listEvents({ ...filter, after }, { signal });
  };
  const { data, error, set } = useQuery(['contacts', chatbotId, contactId, 'events'], (signal) =>
    eventsAfter(undefined, signal),
  );
  const further = useAction(async () => {
    const { events = [], next_cursor: cursor } = data ?? {};
    const more = await eventsAfter(cursor ?? undefined);
    set({ ...more, events: [...events, ...more.events] });
  });
  const names = useNames();
  const { events = [], next_cursor: next = null } = data ?? {};
  return (
    <Card title="Activity">
      <ol class="history">
        {events.map((event) => (
          <li key={event.id}>
            <span class="history-deed">{deedOf(event, contactId)}</span>
            <span class="soft small">
              {doerOf(event, names)}, <Time value={event.occurred_at} />
            </span>
          </li>
        ))}
      </ol>
      {!data && !error && <Loading />}
      {data && events.length === 0 && next === null && <p class="soft">No activity is kept any more.</p>}
      {next !== null && (
        <Button isSmall isBusy={further.isBusy} onClick={() => void further.run()}>
          Show older
        </Button>
      )}
      <ErrorNote error={error ?? further.error} />
    </Card>
  );
}

const deeds: Partial<Record<string, string>> = {
  'contact.created': 'Created',
  'contact.updated': 'Changed',
  'contact.deleted': 'Moved to the bin',
  'contact.restored': 'Restored from the bin',
  'contact.merged': 'Merged with a duplicate',
  'contact.unmerged': 'Merge undone',
};

function deedOf({ type, changed, contact_id: about, contact_ids: ids }: Event, contactId: string): string {
  if (type === 'contact.updated' && changed)
    return `Changed ${changed.map((name) => labelOf(name).toLowerCase()).join(', ')}`;
  if (type === 'contact.merged' && about === contactId && ids && ids.length > 1)
    return `Merged with ${ids.length} duplicates`;
  return deeds[type] ?? type;
}

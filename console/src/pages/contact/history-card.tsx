import { roster } from '../../api.ts';
import { doerOf, useNames } from '../../names.ts';
import { useQuery } from '../../query.ts';
import type { Event } from '../../types.ts';
import { Button } from '../../ui/button.tsx';
import { Card, Item } from '../../ui/card.tsx';
import { ErrorNote } from '../../ui/failed.tsx';
import { Loading } from '../../ui/loading.tsx';
import { Time } from '../../ui/time.tsx';
import { useAction } from '../../use-action.ts';
import { labelOf } from './fields.ts';
import type { Sheet } from './held.ts';

const atOnce = 20;

/** Who changed which fields of the contact, and when. */
export function HistoryCard({ chatbotId, person: { id: contactId } }: Sheet) {
  const filter = { chatbot_id: chatbotId, contact_id: contactId, order: 'desc', limit: atOnce } as const;
  const { data, error, set } = useQuery(['contacts', chatbotId, contactId, 'events'], (signal) =>
    roster.listEvents(filter, { signal }),
  );
  const { events = [], next_cursor: next = null } = data ?? {};
  const further = useAction(async () => {
    const more = await roster.listEvents({ ...filter, after: next ?? undefined });
    set({ ...more, events: [...events, ...more.events] });
  });
  const names = useNames();
  return (
    <Card title="Activity" isFlush>
      <ol class="history">
        {events.map((event) => {
          const about = [doerOf(event, names), ', ', <Time key="time" value={event.occurred_at} />];
          return <Item key={event.id} title={deedOf(event)} about={about} />;
        })}
        {data && events.length === 0 && <Item title="No activity is kept any more" />}
      </ol>
      {!data && !error && <Loading />}
      {next !== null && (
        <Button kind="quiet" isBusy={further.isBusy} onClick={() => void further.run()}>
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

function deedOf({ type, changed }: Event): string {
  const fields = (changed ?? []).map((name) => labelOf(name).toLowerCase());
  return `${deeds[type] ?? type} ${fields.join(', ')}`.trim();
}

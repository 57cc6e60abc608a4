import { call } from '../../api.ts';
import { doerOf, useNames } from '../../names.ts';
import { useQuery } from '../../query.ts';
import type { Chatbot, Event } from '../../types.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Card, Item } from '../../ui/card.tsx';
import { NotLoaded } from '../../ui/failed.tsx';
import { Time } from '../../ui/time.tsx';
import { number } from '../../usage.ts';
import { contactsOf, linesOf } from '../activity/lines.ts';

const shownMax = 5;

export function Imports({ chatbots }: { chatbots: readonly Chatbot[] }) {
  const names = useNames();
  const { data, error, reload } = useQuery(['activity', 'imports'], (signal) =>
    call<{ events: Event[] }>(
      'GET',
      '/activity',
      { type: ['contact.created', 'contact.updated'], limit: 100 },
      { signal },
    ),
  );
  const lines = data && linesOf(data.events).filter(({ deed }) => deed === 'import');
  const nameOf = (id: string | null) => chatbots.find((one) => one.id === id)?.name ?? 'a deleted chatbot';
  return (
    <Card
      title="Last imports"
      isFlush={lines !== undefined && lines.length > 0}
      actions={<ButtonLink href="/console/activity">Activity</ButtonLink>}
    >
      {!lines && <NotLoaded error={error} retry={reload} />}
      {lines?.length === 0 && <p class="soft">No import of late.</p>}
      {lines && lines.length > 0 && (
        <ul>
          {lines.slice(0, shownMax).map((line) => {
            const [event] = line.events;
            const count = contactsOf(line) ?? 0;
            return (
              <Item
                key={event.id}
                title={
                  <span>
                    {number(count)} {count === 1 ? 'contact' : 'contacts'} into <bdi>{nameOf(event.chatbot_id)}</bdi>
                  </span>
                }
                about={
                  <>
                    <bdi>{doerOf(event, names)}</bdi>, <Time value={event.occurred_at} />
                  </>
                }
              />
            );
          })}
        </ul>
      )}
    </Card>
  );
}

import { call } from '../../api.ts';
import { doerOf, useNames } from '../../names.ts';
import { useQuery } from '../../query.ts';
import type { Event } from '../../types.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Card, Item } from '../../ui/card.tsx';
import { NotLoaded } from '../../ui/failed.tsx';
import { Time } from '../../ui/time.tsx';
import { linesOf } from '../activity/lines.ts';
import { Sentence } from '../activity/sentence.tsx';

const input = { type: ['contact.created', 'contact.updated'], limit: 100 };
const shownMax = 5;

export function Imports() {
  const names = useNames();
  const { data, error, reload } = useQuery(['activity', 'imports'], (signal) =>
    call<{ events: Event[] }>('GET', '/activity', input, { signal }),
  );
  const lines = linesOf(data?.events ?? []).filter(({ deed }) => deed === 'import');
  return (
    <Card
      title="Last imports"
      isFlush={lines.length > 0}
      actions={<ButtonLink href="/console/activity">Activity</ButtonLink>}
    >
      {!data && <NotLoaded error={error} retry={reload} />}
      {data && lines.length === 0 && <p class="soft">No import of late.</p>}
      <ul>
        {lines.slice(0, shownMax).map((line) => {
          const [event] = line.events;
          const who = (
            <span>
              <bdi>{doerOf(event, names)}</bdi> <Sentence line={line} names={names} />
            </span>
          );
          return <Item key={event.id} title={who} about={<Time value={event.occurred_at} />} />;
        })}
      </ul>
    </Card>
  );
}

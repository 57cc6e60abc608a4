import { call } from '../../api.ts';
import { doerOf, useNames } from '../../names.ts';
import { useQuery } from '../../query.ts';
import { useSession } from '../../session.tsx';
import type { Event } from '../../types.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Card, Item } from '../../ui/card.tsx';
import { NotLoaded } from '../../ui/failed.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { Time } from '../../ui/time.tsx';
import { number } from '../../usage.ts';
import { useCountedChatbots } from '../../use-chatbots.ts';
import type { Shown } from '../activity/feed.ts';
import { linesOf } from '../activity/lines.ts';
import { Sentence } from '../activity/sentence.tsx';
import { FirstScreen } from '../elsewhere.tsx';
import { Added } from './added.tsx';
import { Checklist } from './checklist.tsx';
import { Waiting } from './waiting.tsx';

import './home.css';

/** What happens and what waits; for a new owner, how to begin. Those who see no contacts begin elsewhere. */
export function Home() {
  return useSession().can('contacts:read') ? <Overview /> : <FirstScreen />;
}

function Overview() {
  const { can } = useSession();
  const { data: chatbots, error, reload } = useCountedChatbots();
  if (!chatbots) {
    return (
      <>
        <PageHead title="Home" />
        <NotLoaded error={error} retry={reload} />
      </>
    );
  }
  const total = chatbots.reduce((sum, { contact_count: count = 0 }) => sum + count, 0);
  if (total === 0 && can('contacts:write')) return <Checklist hasChatbots={chatbots.length > 0} />;
  const where = chatbots.length === 1 ? 'one chatbot' : `${number(chatbots.length)} chatbots`;
  return (
    <>
      <PageHead title="Home" about={`${number(total)} ${total === 1 ? 'contact' : 'contacts'} in ${where}`} />
      <div class="home tiles loose">
        <Added />
        <Waiting chatbots={chatbots} />
        {can('events:read') && <Imports />}
      </div>
    </>
  );
}

const ofImports = { type: ['contact.created', 'contact.updated'], limit: 500 };
const shownMax = 5;
/** Pages of events to read. A page ends early once it names 10,000 contacts. */
const pagesMax = 10;

/** The last imports, from the last events about contacts. `isOpen`: earlier ones may belong to the last import. */
async function findImports(signal: AbortSignal) {
  const events: Event[] = [];
  let after: string | null = '*';
  for (let page = 1; ; page++) {
    const found: Shown = await call<Shown>('GET', '/activity', { ...ofImports, after }, { signal });
    events.push(...found.events);
    after = found.next_cursor;
    const imports = linesOf(events).filter(({ deed }) => deed === 'import');
    const isOpen = after !== null && imports.length <= shownMax;
    if (!isOpen || page === pagesMax) return { imports: imports.slice(0, shownMax), isOpen };
  }
}

function Imports() {
  const names = useNames();
  const { data, error, reload } = useQuery(['activity', 'imports'], findImports);
  const lines = data?.imports ?? [];
  return (
    <Card
      title="Last imports"
      isFlush={lines.length > 0}
      actions={<ButtonLink href="/console/activity">Activity</ButtonLink>}
    >
      {!data && <NotLoaded error={error} retry={reload} />}
      {data && lines.length === 0 && <p class="soft">No import among the latest changes.</p>}
      {lines.length > 0 && (
        <ul>
          {lines.map((line) => {
            const [event] = line.events;
            const who = (
              <span>
                <bdi>{doerOf(event, names)}</bdi>{' '}
                <Sentence line={line} names={names} isOpen={data?.isOpen === true && line === lines.at(-1)} />
              </span>
            );
            return <Item key={event.id} title={who} about={<Time value={event.occurred_at} />} />;
          })}
        </ul>
      )}
    </Card>
  );
}

import { doerOf, type Names } from '../../names.ts';
import type { Event } from '../../types.ts';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { exactly } from '../../ui/time.tsx';
import { contactAddress } from '../contacts/view.ts';
import { dayOf, type Line, linesOf } from './lines.ts';
import { Sentence } from './sentence.tsx';

interface DaysProps {
  lines: readonly Line[];
  names: Names;
  /** There is more to load. */
  isOpen: boolean;
  onWho: (id: string) => void;
}

export function Days({ lines, names, isOpen, onWho }: DaysProps) {
  const last = lines.at(-1);
  return (
    <>
      {[...Map.groupBy(lines, ({ events: [event] }) => dayOf(event))].map(([day, own]) => (
        <section key={day} class="card card-flush" aria-label={titleOf(day)}>
          <h2 class="activity-day">{titleOf(day)}</h2>
          <ol>
            {own.map((line) => (
              <Row
                key={line.events.at(-1)?.id}
                line={line}
                names={names}
                isOpen={isOpen && line === last}
                onWho={onWho}
              />
            ))}
          </ol>
        </section>
      ))}
    </>
  );
}

const icons: Partial<Record<string, IconName>> = {
  contact: 'contacts',
  contacts: 'contacts',
  chatbot: 'chatbots',
  project: 'project',
  key: 'keys',
  webhook: 'webhooks',
  session: 'account',
  passkey: 'keys',
};

function Row({ line, names, isOpen, onWho }: { line: Line; names: Names; isOpen: boolean; onWho: DaysProps['onWho'] }) {
  const [event] = line.events;
  const { actor } = event;
  const icon = line.deed === 'import' ? 'import' : icons[event.type.replace(/\..*/, '')];
  const isOfOne = new Set(line.events.map((one) => one.contact_id)).size === 1;
  return (
    <li class="item activity-line spread">
      <Icon name={icon ?? 'members'} />
      <div class="item-text">
        <button type="button" class="activity-who" title="Only what they did" onClick={() => onWho(byOf(actor))}>
          <bdi>{doerOf(event, names)}</bdi>
        </button>{' '}
        <Sentence line={line} names={names} isOpen={isOpen} /> {isOfOne && <Show event={event} />}
        {!isOfOne && event.contact_id !== null && (
          <details class="fold">
            <summary>Each of them</summary>
            <ul>
              {line.events.map((one) => (
                <li key={one.id}>
                  <Clock at={one.occurred_at} />{' '}
                  {linesOf([one]).map((alone) => (
                    <Sentence line={alone} names={names} />
                  ))}{' '}
                  <Show event={one} />
                </li>
              ))}
            </ul>
          </details>
        )}
      </div>
      <Clock at={event.occurred_at} />
    </li>
  );
}

function byOf({ type, id }: Event['actor']): string {
  if (type === 'job') return 'jobs';
  return type === 'operator' ? 'cli' : id;
}

const gone = new Set(['contact.purged', 'contacts.erased', 'webhook.deleted']);

function Show({ event }: { event: Event }) {
  const { type, chatbot_id: chatbot, contact_id: contact, webhook_id: webhook } = event;
  const isOfContact = chatbot !== null && contact !== null;
  if (gone.has(type) || (!isOfContact && webhook === undefined)) return null;
  return (
    <a
      href={isOfContact ? contactAddress(chatbot, contact) : `/console/webhooks/${webhook}`}
      aria-label={isOfContact ? 'Show the contact' : 'Show the webhook'}
    >
      Show
    </a>
  );
}

const clock = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' });
const long = new Intl.DateTimeFormat(undefined, { dateStyle: 'full' });

function Clock({ at }: { at: string }) {
  const date = new Date(at);
  return (
    <time class="soft small number" datetime={at} title={exactly(date)}>
      {clock.format(date)}
    </time>
  );
}

function titleOf(day: string): string {
  const now = new Date();
  const before = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1);
  if (day === now.toDateString()) return 'Today';
  return day === before.toDateString() ? 'Yesterday' : long.format(new Date(day));
}

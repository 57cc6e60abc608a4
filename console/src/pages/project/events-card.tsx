import { curlFor } from '../../curl.ts';
import { doerOf, useNames } from '../../names.ts';
import { useSession } from '../../session.tsx';
import type { Event, EventType } from '../../types.ts';
import { Card } from '../../ui/card.tsx';
import { Curl } from '../../ui/curl.tsx';
import { ErrorNote } from '../../ui/failed.tsx';
import { Time } from '../../ui/time.tsx';
import { number } from '../../usage.ts';
import { contactAddress } from '../contacts/view.ts';
import { useFeed } from './feed.ts';

const sentences: Record<EventType, string> = {
  'contact.created': 'Contact created',
  'contact.updated': 'Contact changed',
  'contact.deleted': 'Contact put into the bin',
  'contact.restored': 'Contact restored',
  'contact.purged': 'Contact deleted for good',
  'contact.merged': 'Contacts merged',
  'contact.unmerged': 'Merge undone',
  'contacts.exported': 'Contacts exported',
  'contacts.erased': 'Person erased',
  'member.invited': 'Member invited',
  'member.activated': 'Member joined',
  'member.updated': 'Member changed',
  'member.removed': 'Member removed',
  'owner.transferred': 'Project handed over',
  'chatbot.created': 'Chatbot created',
  'chatbot.updated': 'Chatbot changed',
  'chatbot.deleted': 'Chatbot deleted',
  'project.created': 'Project created',
  'project.updated': 'Project changed',
  'key.created': 'Key made',
  'key.updated': 'Key changed',
  'key.revoked': 'Key revoked',
  'key.rotated': 'Key rotated',
  'session.started': 'Signed in',
  'session.ended': 'Session ended',
  'passkey.added': 'Passkey added',
  'passkey.removed': 'Passkey removed',
  'webhook.created': 'Webhook created',
  'webhook.updated': 'Webhook changed',
  'webhook.disabled': 'Webhook disabled',
  'webhook.deleted': 'Webhook deleted',
};

/** Events about links and new proofs have no type of their own; sessions and passkeys had none earlier. */
const bySubject: Record<string, string> = {
  sessions: 'Signed in or out',
  sign_in_link: 'Sign-in link made',
  passkeys: 'Passkeys changed',
};

export function EventsCard() {
  const { data, error } = useFeed();
  const events = data?.events.toReversed();
  const names = useNames();
  const { project } = useSession();
  return (
    <Card title="Events" about="Changes, newest first. New ones appear by themselves." isFlush>
      <ErrorNote error={error} />
      {events?.length === 0 && <p class="card-body soft">Nothing has happened yet.</p>}
      <ul class="events">
        {events?.map((event) => (
          <li key={event.id} class="item event">
            <span class="item-text">
              <What event={event} />
            </span>
            <span class="soft small event-by">
              {doerOf(event, names)}, <Time value={event.occurred_at} />
            </span>
          </li>
        ))}
      </ul>
      <div class="card-body">
        <Curl
          title="Do the same on the command line or with curl"
          code={`roster events list --project ${project.id} --follow\n\n${curlFor('listEvents', { wait: 20 })}`}
        />
      </div>
    </Card>
  );
}

function What({ event }: { event: Event }) {
  const { type, changed, contact_ids: contacts, member_ids: members } = event;
  const count = event.count ?? (contacts ?? members)?.length;
  return (
    <>
      {bySubject[changed?.join() ?? ''] ?? (sentences as Partial<Record<string, string>>)[type] ?? type}
      {count !== undefined && (
        <span class="soft">
          , {number(count)}
          {event.count === undefined && ' at once'}
        </span>
      )}
      {changed && changed.length > 0 && !(changed.join() in bySubject) && (
        <span class="soft">: {changed.map((name) => name.replaceAll('_', ' ')).join(', ')}</span>
      )}
      {event.chatbot_id !== null && event.contact_id !== null && type !== 'contact.purged' && (
        <>
          {' '}
          <a href={contactAddress(event.chatbot_id, event.contact_id)} aria-label="Show the contact">
            Show
          </a>
        </>
      )}
    </>
  );
}

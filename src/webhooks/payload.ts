import { type Actor, covers } from '../actor.ts';
import { isUsable } from '../api-keys/api-key.ts';
import { includes, viewOf } from '../contacts/view.ts';
import type { Event, EventType } from '../events/event.ts';
import { type Noun, nounOf, typesOf } from '../events/patterns.ts';
import { memberView } from '../members/member.ts';
import type { Scope } from '../rights.ts';
import { rightsOf } from '../sign-in/session.ts';
import type { Reads } from '../store.ts';
import type { StoredWebhook } from './webhook.ts';

type Scopes = Actor['scopes'];

/** The present rights of the maker of a webhook; none if the key or member is gone. */
export async function scopesOfMaker({ apiKeys, members }: Reads, webhook: StoredWebhook): Promise<Scopes> {
  const { project_id: projectId, created_by: maker } = webhook;
  if (maker.type === 'key') {
    const key = await apiKeys.find(projectId, maker.id);
    return key && isUsable(key) ? key.scopes : [];
  }
  if (maker.type === 'member') return rightsOf((await members.find(projectId, maker.id)) ?? { roles: [] });
  return 'all';
}

/** Without `events:read` a webhook sees the events of what its scopes read. */
const readScopes: Readonly<Record<Noun, Scope | null>> = {
  contact: 'contacts:read',
  contacts: 'contacts:read',
  member: 'members:read',
  owner: 'members:read',
  chatbot: 'chatbots:read',
  project: 'project:read',
  webhook: 'webhooks:read',
  key: null,
  session: null,
  passkey: null,
};

export function typesFor({ events }: StoredWebhook, scopes: Scopes): readonly EventType[] {
  const wanted = typesOf(events);
  if (covers(scopes, 'events:read')) return wanted;
  return wanted.filter((type) => {
    const scope = readScopes[nounOf(type)];
    return scope !== null && covers(scopes, scope);
  });
}

export function isAbout({ chatbot_ids: ids }: StoredWebhook, { chatbot_id: id }: Event): boolean {
  return ids === null || (id !== null && ids.includes(id));
}

/** The body of a request; `full` reads the contact or the member as they are now. */
export async function bodyOf(reads: Reads, webhook: StoredWebhook, event: Event, scopes: Scopes): Promise<string> {
  const more = webhook.payload === 'full' ? await subjectOf(reads, webhook.project_id, event, scopes) : {};
  return JSON.stringify({ type: event.type, timestamp: event.occurred_at, data: { ...event, ...more } });
}

async function subjectOf({ contacts, members }: Reads, projectId: string, event: Event, scopes: Scopes) {
  const { chatbot_id: chatbotId, contact_id: contactId, member_id: memberId } = event;
  const noun = nounOf(event.type);
  if (noun === 'contact' || noun === 'contacts') {
    const isOne = chatbotId !== null && contactId !== null && covers(scopes, 'contacts:read');
    const contact = isOne ? await contacts.findWhole(projectId, chatbotId, contactId) : undefined;
    return { contact: contact ? viewOf(contact, includes) : null };
  }
  if (noun !== 'member' && noun !== 'owner') return {};
  const isOne = memberId !== null && covers(scopes, 'members:read');
  const member = isOne ? await members.find(projectId, memberId) : undefined;
  return { member: member ? memberView(member) : null };
}

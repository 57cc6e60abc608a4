import type { Names } from '../../names.ts';
import type { Event, EventType } from '../../types.ts';
import { number } from '../../usage.ts';
import { contactsOf, fieldsOf, type Line } from './lines.ts';

/** What comes after the name of who did it. */
export const sentences: Record<EventType | 'import', string> = {
  import: 'imported {contacts} into {chatbot}{known}',
  'contact.created': 'added {contacts} to {chatbot}',
  'contact.updated': 'changed {contacts} in {chatbot}{fields}',
  'contact.deleted': 'moved {contacts} in {chatbot} to the bin',
  'contact.restored': 'restored {contacts} in {chatbot}',
  'contact.purged': 'deleted {contacts} in {chatbot} for good',
  'contact.merged': 'merged {contacts} into another in {chatbot}',
  'contact.unmerged': 'undid a merge in {chatbot}',
  'contacts.exported': 'exported {contacts} from {chatbot}',
  'contacts.erased': 'erased a person for good: {contacts}',
  'member.invited': 'invited {member}',
  'member.activated': 'added {member}',
  'member.updated': 'changed {member}{fields}',
  'member.removed': 'removed {member}',
  'owner.transferred': 'transferred ownership to {member}',
  'chatbot.created': 'created the chatbot {chatbot}',
  'chatbot.updated': 'changed the chatbot {chatbot}{fields}',
  'chatbot.deleted': 'deleted a chatbot',
  'project.created': 'created the project',
  'project.updated': 'changed the project{fields}',
  'key.created': 'created the key {key}',
  'key.updated': 'changed the key {key}{fields}',
  'key.revoked': 'revoked the key {key}',
  'key.rotated': 'rotated the key {key}',
  'session.started': 'signed in',
  'session.ended': 'ended a session{of}',
  'passkey.added': 'added a passkey{of}',
  'passkey.removed': 'removed a passkey{of}',
  'webhook.created': 'created a webhook',
  'webhook.updated': 'changed a webhook{fields}',
  'webhook.disabled': 'disabled a webhook',
  'webhook.deleted': 'deleted a webhook',
};

/** Where the field that was changed, or who did it, says what was done. */
const closer: Partial<Record<string, string>> = {
  'member.activated self': 'joined the project',
  'member.updated roles': 'changed the roles of {member}',
  'member.updated sign_in_link': 'created a sign-in link for {member}',
  'member.updated sessions': 'confirmed their identity',
  'webhook.updated secret': 'rotated the secret of a webhook',
  'webhook.updated position': 'replayed events to a webhook',
  'webhook.updated state': 'enabled a webhook',
};

interface Part {
  text: string;
  /** A name that somebody gave. */
  isName: boolean;
}

/** The sentence about a line, but for who did it. `isOpen`: earlier events may belong to it. */
export function sentenceOf(line: Line, names: Names, isOpen = false): Part[] {
  const [event] = line.events;
  const isSelf = event.member_id === event.actor.id;
  const template =
    closer[`${event.type} ${event.changed?.join() ?? (isSelf ? 'self' : '')}`] ??
    (sentences as Partial<Record<string, string>>)[line.deed] ??
    event.type.replace('.', ' ');
  const member = memberOf(line, names);
  const count = contactsOf(line);
  const known = contactsOf(line, 'contact.updated') ?? 0;
  const fields = fieldsOf(line);
  const { size } = new Set(line.events.map((one) => one.chatbot_id));
  const values: Record<string, string> = {
    contacts: (isOpen && line.events.length > 1 ? 'at least ' : '') + counted(count),
    chatbot: size > 1 ? `${number(size)} chatbots` : chatbotOf(event, names),
    key: names.keys.get(event.key_id ?? '') ?? 'of a former project',
    member,
    of: isSelf ? '' : ` of ${member}`,
    known: known > 0 ? `, ${number(known)} of them known before` : '',
    fields: fields.length > 0 ? `: ${fields.join(', ')}` : '',
  };
  return template
    .split(/\{(\w+)\}/)
    .map((part, index) =>
      index % 2 === 0
        ? { text: part, isName: false }
        : { text: values[part] ?? '', isName: ['chatbot', 'key', 'member'].includes(part) },
    );
}

export function Sentence({ line, names, isOpen }: { line: Line; names: Names; isOpen?: boolean }) {
  return (
    <>
      {sentenceOf(line, names, isOpen).map(({ text, isName }) => (isName ? <strong dir="auto">{text}</strong> : text))}
    </>
  );
}

function counted(count: number | undefined): string {
  if (count === undefined) return 'contacts';
  return count === 1 ? 'a contact' : `${number(count)} contacts`;
}

function chatbotOf({ chatbot_id: id }: Event, { chatbots }: Names): string {
  return id === null ? 'all chatbots' : (chatbots.get(id) ?? 'a deleted chatbot');
}

function memberOf({ events: [{ member_id: id, member_ids: ids }] }: Line, { members }: Names): string {
  if (ids !== null) return ids.length === 1 ? 'a member' : `${number(ids.length)} members`;
  return members.get(id ?? '') ?? 'a former member';
}

import type { StoredContact } from '../contacts/contact.ts';
import { memberKey } from '../members/matching.ts';
import { requireProject } from '../projects/project.ts';
import type { Store } from '../store.ts';
import { contactSteps } from './contact-steps.ts';
import type { Memory } from './context.ts';
import { type Compared, differences } from './differences.ts';
import { type SourceMember, readMembers, wholeMembers } from './import-members.ts';
import { readChatbots, usableName } from './import-project.ts';
import { idOf, type Raw, readContact, type ReadContact, type SourceChatbot } from './reading.ts';
import type { Source } from './source.ts';

export interface ComparisonContext {
  source: Source;
  store: Store;
  projectId: string;
  openMemory: () => Memory;
  onProgress: (chatbotId: string, read: number, left: number | undefined) => void;
}

export interface ComparedChatbot extends Compared {
  id: string;
  /** Whether the source has the chatbot, or only this side, or both. */
  found: 'both' | 'source' | 'here';
  /** Differences of the chatbot itself. */
  fields: string[];
  /** Contacts at the source. */
  read: number;
}

export type Comparison = Awaited<ReturnType<typeof compareProject>>;

/** Reads both sides and names what is missing here, what only this side has, and what differs. */
export async function compareProject(context: ComparisonContext, chatbotIds: readonly string[]) {
  const { source, store, projectId } = context;
  await requireProject(store.projects, projectId);
  const project = await compareSettings(context);
  const { chatbots: there, unusable } = await readChatbots(source, chatbotIds);
  const here = new Map((await store.chatbots.list(projectId)).map((chatbot) => [chatbot.id, chatbot]));
  const chatbots: ComparedChatbot[] = [];
  for (const chatbot of there) {
    const own = here.get(chatbot.id);
    const { read, ...contacts } = await compareContacts(context, chatbot.id);
    const fields = own ? differingOf(chatbot, own) : [];
    chatbots.push({ id: chatbot.id, found: own ? 'both' : 'source', fields, read, ...contacts });
  }
  const known = new Set(there.map(({ id }) => id));
  for (const id of chatbotIds.length > 0 ? [] : here.keys()) {
    if (known.has(id)) continue;
    const contacts = differences();
    for await (const page of store.contacts.listAll(projectId, id)) for (const one of page) contacts.extra(one.id);
    chatbots.push({ id, found: 'here', fields: [], read: 0, ...contacts.result() });
  }
  const members = await compareMembers(context);
  const areChatbotsEqual = chatbots.every(
    ({ found, fields, equal }) => found === 'both' && fields.length === 0 && equal,
  );
  const equal = project.different.length === 0 && unusable.length === 0 && areChatbotsEqual && members.equal;
  return { equal, project, chatbots, unusable_chatbots: unusable.length, members };
}

async function compareSettings({ source, store, projectId }: ComparisonContext): Promise<{ different: string[] }> {
  const { name, seatsMax, chatbotsMax } = source.project;
  const project = await requireProject(store.projects, projectId);
  const seats = await store.projects.seats(projectId);
  const chatbots = await store.projects.chatbots(projectId);
  const different = [
    ...((usableName(name) ?? name) === project.name ? [] : ['name']),
    ...(seatsMax === undefined || seatsMax === seats?.max ? [] : ['seats']),
    ...(chatbotsMax === undefined || chatbotsMax === chatbots?.max ? [] : ['chatbots']),
  ];
  return { different };
}

function differingOf(
  { id, name, visibility, created_at: at }: SourceChatbot,
  own: Omit<SourceChatbot, 'id'>,
): string[] {
  const isSameTime = at === undefined || at.slice(0, 19) === own.created_at?.slice(0, 19);
  return [
    ...((usableName(name) ?? id) === own.name ? [] : ['name']),
    ...(visibility === own.visibility ? [] : ['visibility']),
    ...(isSameTime ? [] : ['created_at']),
  ];
}

async function compareContacts(
  { source, store, projectId, openMemory, onProgress }: ComparisonContext,
  chatbotId: string,
): Promise<Compared & { read: number }> {
  using memory = openMemory();
  const found = differences();
  let read = 0;
  const isMet = (item: Raw) => memory.lineOf(idOf(item) ?? '') !== undefined;
  for await (const { items, left } of contactSteps(source, chatbotId, async (all) => all.every(isMet))) {
    const fresh = items.filter((item) => !isMet(item));
    const ids = fresh.flatMap((item) => idOf(item) ?? []);
    const stored = ids.length === 0 ? [] : await store.contacts.among(projectId, chatbotId, ids);
    const here = new Map(stored.map((contact) => [contact.id, contact]));
    for (const item of fresh) {
      const id = idOf(item);
      const contact = here.get(id ?? '');
      if (id !== undefined) memory.remember(id, 1);
      if (!contact) found.missing(id ?? '(no id that can be stored)');
      else found.different(contact.id, differingFields(readContact(item, source.isRoster), contact));
    }
    read += fresh.length;
    onProgress(chatbotId, read, left);
  }
  for await (const page of store.contacts.listAll(projectId, chatbotId)) {
    for (const { id } of page) if (memory.lineOf(id) === undefined) found.extra(id);
  }
  return { read, ...found.result() };
}

function differingFields(reading: ReadContact | { objection: string }, stored: StoredContact): string[] {
  if ('objection' in reading) return ['everything'];
  const { contact, leftOut } = reading;
  const names = Object.keys(contact.fields) as (keyof typeof contact.fields)[];
  const fields = names.filter((name) => contact.fields[name] !== stored[name]) as string[];
  for (const name of ['attributes', 'tags'] as const) {
    const given = contact[name];
    if (given !== undefined && JSON.stringify(given) !== JSON.stringify(stored[name])) fields.push(name);
  }
  if (contact.created_at !== undefined && contact.created_at !== stored.created_at) fields.push('created_at');
  // A value that cannot be stored always counts as different.
  return [...new Set([...fields, ...leftOut.map(({ field }) => field)])];
}

async function compareMembers({ source, store, projectId }: ComparisonContext): Promise<Compared> {
  const { members, unusable } = await readMembers(source);
  const here = new Map((await wholeMembers(store, projectId)).map((member) => [memberKey(member), member]));
  const found = differences();
  for (const [raw] of unusable) found.missing(String(raw['email']));
  for (const member of members) {
    const own = here.get(memberKey(member));
    here.delete(memberKey(member));
    if (!own) found.missing(member.email);
    else found.different(member.email, differingOfMember(member, own));
  }
  for (const { email } of here.values()) found.extra(email);
  return found.result();
}

function differingOfMember(member: SourceMember, own: SourceMember): string[] {
  return (['email', 'status', 'roles'] as const).filter((field) => String(member[field]) !== String(own[field]));
}

import type { Chatbot } from '../chatbots/chatbot.ts';
import { differences } from '../contacts/change/given.ts';
import { put } from '../contacts/change/put.ts';
import { clearingNothing } from '../contacts/change/through-aliases.ts';
import type { StoredContact } from '../contacts/contact.ts';
import { memberKey } from '../members/matching.ts';
import { requireProject } from '../projects/require.ts';
import { contactSteps } from './contact-steps.ts';
import type { ImportContext } from './context.ts';
import { meet } from './import-contacts.ts';
import { readMembers, wholeMembers } from './import-members.ts';
import { readChatbots } from './import-project.ts';
import { idOf, type Raw, readContact, type ReadContact, type SourceChatbot, usableName } from './reading.ts';

const namedMax = 100;

export interface Compared {
  equal: boolean;
  missing: string[];
  extra: string[];
  different: { id: string; fields: readonly string[] }[];
  /** How many there are beyond the first hundred of each. */
  more: { missing: number; extra: number; different: number };
}

type ComparisonContext = Pick<ImportContext, 'source' | 'store' | 'projectId' | 'openMemory' | 'onProgress'>;

interface ComparedChatbot extends Compared {
  id: string;
  found: 'both' | 'source' | 'here';
  /** Of the chatbot itself. */
  fields: string[];
  read: number;
}

export type Comparison = Awaited<ReturnType<typeof compareProject>>;

export async function compareProject(context: ComparisonContext, chatbotIds: readonly string[]) {
  const { source, store, projectId } = context;
  await requireProject(store.projects, projectId);
  const project = await compareSettings(context);
  const { chatbots: there, unusable } = await readChatbots(source, chatbotIds);
  const here = new Map((await store.chatbots.list(projectId)).map((chatbot) => [chatbot.id, chatbot]));
  const chatbots: ComparedChatbot[] = [];
  for (const chatbot of there) {
    const own = here.get(chatbot.id);
    const fields = own ? differingOf(chatbot, own) : [];
    const found = own ? ('both' as const) : ('source' as const);
    chatbots.push({ id: chatbot.id, found, fields, ...(await compareContacts(context, chatbot.id)) });
  }
  const known = new Set(there.map(({ id }) => id));
  for (const id of chatbotIds.length > 0 ? [] : here.keys()) {
    if (known.has(id)) continue;
    const contacts = collectDifferences();
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
  const { name, seatsMax, chatbotsMax, contactsMax } = source.project;
  const project = await requireProject(store.projects, projectId);
  const there = { name: usableName(name) ?? name, seats: seatsMax, chatbots: chatbotsMax, contacts: contactsMax };
  const here = {
    name: project.name,
    seats: (await store.projects.seats(projectId))?.max,
    chatbots: (await store.projects.chatbots(projectId))?.max,
    contacts: (await store.projects.contacts(projectId))?.max,
  };
  return { different: differing(there, here) };
}

/** The source tells times to the second. */
function differingOf({ name, visibility, created_at: at }: SourceChatbot, own: Chatbot): string[] {
  const there = { name, visibility, created_at: at?.slice(0, 19) };
  return differing(there, { ...own, created_at: own.created_at.slice(0, 19) });
}

async function compareContacts(
  { source, store, projectId, openMemory, onProgress }: ComparisonContext,
  chatbotId: string,
): Promise<Compared & { read: number }> {
  using memory = openMemory();
  const found = collectDifferences();
  /** Contacts into which others were merged that the source still has. */
  const staying = new Set<string>();
  let read = 0;
  const isMet = (item: Raw) => memory.get(idOf(item) ?? '') !== undefined;
  for await (const { items, left } of contactSteps(source, chatbotId, async (all) => all.every(isMet))) {
    const fresh = items.filter((item) => !isMet(item));
    const ids = fresh.flatMap((item) => idOf(item) ?? []);
    const known = await store.contacts.resolve(projectId, chatbotId, ids);
    const here = new Map(known.map(({ id, contact }) => [id, contact]));
    const merged = await store.contacts.mergedInto(projectId, chatbotId, ids);
    const targets = new Set(merged.map((one) => one.merged_into));
    for (const item of fresh) {
      const id = idOf(item);
      const contact = here.get(id ?? '');
      if (id !== undefined) meet(memory, id);
      if (!contact) found.missing(id ?? '(no id that can be stored)');
      else if (contact.id !== id) staying.add(contact.id);
      else found.different(id, differingFields(readContact(item, source.isRoster), contact, targets.has(id)));
    }
    read += fresh.length;
    onProgress(chatbotId, read, left);
  }
  for await (const page of store.contacts.listAll(projectId, chatbotId)) {
    for (const { id } of page) if (memory.get(id) === undefined && !staying.has(id)) found.extra(id);
  }
  return { read, ...found.result() };
}

/** The fields that an import would change. It clears none of a contact into which others were merged. */
function differingFields(
  reading: ReadContact | { objection: string },
  stored: StoredContact,
  isStaying: boolean,
): string[] {
  if ('objection' in reading) return ['everything'];
  const { contact, leftOut } = reading;
  const { texts, attributes, tags } = contact;
  const { id: _, created_at: __, ...values } = texts;
  const different = isStaying
    ? differences(stored, put(stored, clearingNothing({ texts: values, attributes, tags }), 'complete').after)
    : differing({ ...texts, attributes, tags }, { ...stored });
  // A value that cannot be stored always counts as different.
  return [...new Set([...different, ...leftOut.map(({ field }) => field)])];
}

async function compareMembers({ source, store, projectId }: ComparisonContext): Promise<Compared> {
  const { members, unusable } = await readMembers(source);
  const here = new Map((await wholeMembers(store, projectId)).map((member) => [memberKey(member), member]));
  const found = collectDifferences();
  for (const [raw] of unusable) found.missing(String(raw['email']));
  for (const member of members) {
    const { email, status, roles } = member;
    const own = here.get(memberKey(member));
    here.delete(memberKey(member));
    if (!own) found.missing(email);
    else found.different(email, differing({ email, status, roles }, { ...own }));
  }
  for (const { email } of here.values()) found.extra(email);
  return found.result();
}

function collectDifferences() {
  const lists = { missing: [] as string[], extra: [] as string[], different: [] as Compared['different'] };
  const more = { missing: 0, extra: 0, different: 0 };
  const note = <Entry>(kind: keyof typeof more, list: Entry[], entry: Entry) => {
    if (list.length < namedMax) list.push(entry);
    else more[kind]++;
  };
  return {
    missing: (id: string) => note('missing', lists.missing, id),
    extra: (id: string) => note('extra', lists.extra, id),
    different: (id: string, fields: readonly string[]) => {
      if (fields.length > 0) note('different', lists.different, { id, fields });
    },
    result: (): Compared => ({ equal: Object.values(lists).every((list) => list.length === 0), ...lists, more }),
  };
}

function differing(given: Raw, stored: Raw): string[] {
  return Object.keys(given).filter(
    (name) => given[name] !== undefined && JSON.stringify(given[name]) !== JSON.stringify(stored[name]),
  );
}

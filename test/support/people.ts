import { createApiKey, type Scope } from '../../src/api-keys/api-key.ts';
import { createChatbot } from '../../src/chatbots/chatbot.ts';
import { type ContactTexts, unknownDetails } from '../../src/contacts/contact.ts';
import { contactMatching, type StoredContact } from '../../src/contacts/import.ts';
import { openImportMemory } from '../../src/files/import-memory.ts';
import { digestOrder, rowDigest } from '../../src/files/row-digest.ts';
import { type ConflictPolicy, decide, type Matching, type Outcome, type Stored } from '../../src/imports.ts';
import { type MemberDraft, memberMatching } from '../../src/members/import.ts';
import type { Member } from '../../src/members/member.ts';
import { createProject } from '../../src/projects/project.ts';
import type { Store } from '../../src/store.ts';

export const vendorContactId = 'qtr89df0-112d-d197-b541-3f8674663246';

export function aContact(given: Partial<StoredContact> = {}): StoredContact {
  return {
    id: vendorContactId,
    ...unknownDetails,
    name: 'Ana Lucía Ferreira',
    email: 'ana@example.com',
    phone: '+1 555 0100',
    website: 'https://example.com',
    created_at: '2024-06-08T13:38:33+00:00',
    import_digest: null,
    inserted_as: '00000000-0000-7000-8000-000000000000',
    ...given,
  };
}

export function aMember(given: Partial<Member> = {}): Member {
  return { email: 'ada@example.com', status: 'Active', roles: ['Admin'], ...given };
}

export interface ProjectWithPeople {
  projectId: string;
  chatbotId: string;
  token: string;
  keyId: string;
}

/** A project with a chatbot, a key of the given scopes, and the people given. */
export async function aProject(
  store: Store,
  given: {
    id?: string;
    chatbotId?: string;
    scopes?: Scope[];
    members?: Member[];
    contacts?: StoredContact[];
  } = {},
): Promise<ProjectWithPeople> {
  const project = await createProject(store, { name: 'Example Ltd', id: given.id });
  const chatbot = await createChatbot(store, project.id, { name: 'Desk', id: given.chatbotId });
  if (given.members) await storeMembers(store, project.id, given.members);
  if (given.contacts) await storeContacts(store, project.id, chatbot.id, given.contacts);
  const { key, token } = await createApiKey(store, project.id, {
    name: 'test',
    ...(given.scopes && { scopes: given.scopes }),
  });
  return { projectId: project.id, chatbotId: chatbot.id, token, keyId: key.id };
}

export function storeMembers(store: Store, projectId: string, members: Member[]): Promise<void> {
  return store.importMembers(projectId, [], () => members);
}

export function storeContacts(store: Store, projectId: string, chatbotId: string, contacts: StoredContact[]) {
  return store.importContacts(projectId, chatbotId, [], () => contacts);
}

/** The digest of a row with these cells, by heading. */
export function digestOf(row: object): string {
  const [headings, cells] = [Object.keys(row), Object.values(row) as unknown[]];
  return rowDigest({ line: 1, headings, cells, original: cells }, digestOrder(headings));
}

/** One batch of contacts through matching, decision and store; an outcome for each. `note` is no field of theirs. */
export function importContacts(
  store: Store,
  projectId: string,
  chatbotId: string,
  rows: (ContactTexts & { note?: string })[],
  policy: ConflictPolicy = 'update',
): Promise<Outcome[]> {
  const drafts = rows.map(({ note, ...texts }) => ({
    texts,
    digest: digestOf({ ...texts, ...(note !== undefined && { note }) }),
  }));
  return outcomesOf(drafts, contactMatching(), policy, (decide) =>
    store.importContacts(projectId, chatbotId, drafts, decide),
  );
}

/** One batch of members through matching, decision and store; an outcome for each. */
export function importMembers(
  store: Store,
  projectId: string,
  drafts: MemberDraft[],
  policy: ConflictPolicy = 'update',
): Promise<Outcome[]> {
  return outcomesOf(drafts, memberMatching, policy, (decide) =>
    store.importMembers(projectId, drafts, decide),
  );
}

async function outcomesOf<Draft extends object, Person>(
  drafts: Draft[],
  matching: Matching<Draft, Person>,
  policy: ConflictPolicy,
  store: (decide: (stored: Stored<Person>) => Person[]) => Promise<void>,
): Promise<Outcome[]> {
  using memory = openImportMemory<Person>(false);
  const rows = drafts.map((draft, i) => ({ line: i + 1, draft, digest: digestOf(draft) }));
  let outcomes: Outcome[] = [];
  await store((stored) => {
    const decision = decide(rows, matching, policy, stored, memory);
    outcomes = decision.outcomes;
    return decision.writes;
  });
  return outcomes;
}

import { operator, type Scope } from '../../src/actor.ts';
import { type ApiKey, type ApiKeyInput, locateApiKey, type NewApiKey } from '../../src/api-keys/api-key.ts';
import { createApiKey as createApiKeyOperation } from '../../src/api-keys/create.ts';
import { revokeApiKey as revokeApiKeyOperation } from '../../src/api-keys/revoke.ts';
import { rotateApiKey as rotateApiKeyOperation } from '../../src/api-keys/rotate.ts';
import { updateApiKey as updateApiKeyOperation } from '../../src/api-keys/update.ts';
import type { Chatbot } from '../../src/chatbots/chatbot.ts';
import { takeOverChatbot } from '../../src/chatbots/create.ts';
import { readContact } from '../../src/chatling/reading.ts';
import { type StoredContact, unknownContact } from '../../src/contacts/contact.ts';
import type { ContactTexts } from '../../src/contacts/draft.ts';
import { contactKeys } from '../../src/contacts/import-keys.ts';
import { importContacts as importContactsOperation } from '../../src/contacts/import.ts';
import { contactMatching } from '../../src/contacts/matching.ts';
import { mirrorKeys, mirrorMatching } from '../../src/contacts/mirror.ts';
import { openImportMemory } from '../../src/files/import-memory.ts';
import { digestOrder, rowDigest } from '../../src/files/row-digest.ts';
import { type ConflictPolicy, decide, type Matching, type Outcome, type Stored } from '../../src/imports.ts';
import { importMembers as importMembersOperation } from '../../src/members/import.ts';
import { type MemberDraft, memberMatching } from '../../src/members/matching.ts';
import type { Member } from '../../src/members/member.ts';
import { run } from '../../src/operation.ts';
import { createProject as createProjectOperation } from '../../src/projects/create.ts';
import type { Project } from '../../src/projects/project.ts';
import type { Store } from '../../src/store.ts';
import { newChatbotId, newId } from '../../src/values/identifier.ts';

export const vendorContactId = 'qtr89df0-112d-d197-b541-3f8674663246';

export function aContact(given: Partial<StoredContact> = {}): StoredContact {
  return {
    id: vendorContactId,
    ...unknownContact,
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
    members?: (Member & { id?: string })[];
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

export async function createProject(
  store: Store,
  { name, id = newId() }: { name: string; id?: string | undefined },
): Promise<Project> {
  return (await run(createProjectOperation, store, operator(id), { name })).output;
}

export async function createChatbot(
  store: Store,
  projectId: string,
  input: { name: string; id?: string | undefined },
): Promise<Chatbot> {
  const { name, id = newChatbotId() } = input;
  return (await run(takeOverChatbot, store, operator(projectId), { name, id })).output;
}

/** A key with these scopes, or the default ones; a negative lifetime makes one that has expired. */
export async function createApiKey(
  store: Store,
  projectId: string,
  input: ApiKeyInput & { token?: string },
): Promise<NewApiKey> {
  return (await run(createApiKeyOperation, store, operator(projectId), input)).output;
}

/** Another key of the project, with these scopes. */
export function scopesOf(store: Store, projectId: string, scopes: readonly Scope[]): Promise<NewApiKey> {
  return createApiKey(store, projectId, { name: 'another', scopes });
}

export async function revokeApiKey(store: Store, keyId: string): Promise<ApiKey> {
  const { project_id } = await locateApiKey(store.apiKeys, keyId);
  return (await run(revokeApiKeyOperation, store, operator(project_id), { keyId })).output;
}

export async function rotateApiKey(
  store: Store,
  keyId: string,
  overlapSeconds: number,
): Promise<NewApiKey & { replaced: ApiKey }> {
  const { project_id } = await locateApiKey(store.apiKeys, keyId);
  return (await run(rotateApiKeyOperation, store, operator(project_id), { keyId, overlapSeconds })).output;
}

export async function updateApiKey(store: Store, keyId: string, scopes: readonly Scope[]): Promise<ApiKey> {
  const { project_id } = await locateApiKey(store.apiKeys, keyId);
  return (await run(updateApiKeyOperation, store, operator(project_id), { keyId, scopes })).output;
}

export async function storeMembers(store: Store, projectId: string, members: Member[]): Promise<void> {
  const emails = members.map(({ email }) => email);
  await run(importMembersOperation, store, operator(projectId), { emails, decide: () => members });
}

export async function storeContacts(
  store: Store,
  projectId: string,
  chatbotId: string,
  contacts: StoredContact[],
  signal?: AbortSignal,
): Promise<void> {
  const keys = contacts.map(({ id }) => `id:${id}`);
  const input = { chatbotId, keys, decide: () => contacts };
  await run(importContactsOperation, store, operator(projectId), input, { signal });
}

/** The digest of a row with these cells, by heading. */
export function digestOf(row: object): string {
  const [headings, cells] = [Object.keys(row), Object.values(row) as unknown[]];
  return rowDigest({ line: 1, headings, cells }, digestOrder(headings));
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
  const keys = drafts.flatMap(contactKeys);
  return outcomesOf(drafts, contactMatching(), policy, async (decide) => {
    await run(importContactsOperation, store, operator(projectId), { chatbotId, keys, decide });
  });
}

/** One batch of contacts as another Roster has them, or as Chatling does; an outcome for each. */
export async function mirrorContacts(
  store: Store,
  projectId: string,
  chatbotId: string,
  contacts: readonly (Record<string, unknown> & { id: string })[],
  isWhole = true,
): Promise<Outcome[]> {
  const read = contacts.map((raw) => readContact(raw, isWhole));
  const drafts = read.flatMap((one) => ('contact' in one ? one.contact : []));
  const rows = drafts.map((draft, line) => ({ line, draft, digest: '' }));
  const memory = {
    planned: new Map<string, StoredContact>(),
    seen: () => false,
    lineOf: () => undefined,
    remember: () => {},
  };
  let outcomes: Outcome[] = [];
  const decideRows = (stored: Stored<StoredContact>) => {
    const decision = decide(rows, mirrorMatching(), 'update', stored, memory);
    ({ outcomes } = decision);
    return decision.writes;
  };
  const batch = { chatbotId, keys: mirrorKeys(drafts), decide: decideRows };
  await run(importContactsOperation, store, operator(projectId), batch);
  const next = outcomes.values();
  return read.map((one) => ('contact' in one ? (next.next().value as Outcome) : { refused: one.objection }));
}

/** One batch of members through matching, decision and store; an outcome for each. */
export function importMembers(
  store: Store,
  projectId: string,
  drafts: MemberDraft[],
  policy: ConflictPolicy = 'update',
): Promise<Outcome[]> {
  const emails = drafts.map(({ email }) => email);
  return outcomesOf(drafts, memberMatching, policy, async (decide) => {
    await run(importMembersOperation, store, operator(projectId), { emails, decide });
  });
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

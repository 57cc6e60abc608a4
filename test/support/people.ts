import { operator } from '../../src/actor.ts';
import type { ApiKey, ApiKeyInput, NewApiKey } from '../../src/api-keys/api-key.ts';
import { createApiKey as createApiKeyOperation } from '../../src/api-keys/create.ts';
import { locateApiKey } from '../../src/api-keys/require.ts';
import { revokeApiKey as revokeApiKeyOperation } from '../../src/api-keys/revoke.ts';
import { rotateApiKey as rotateApiKeyOperation } from '../../src/api-keys/rotate.ts';
import { updateApiKey as updateApiKeyOperation } from '../../src/api-keys/update.ts';
import type { Chatbot } from '../../src/chatbots/chatbot.ts';
import { takeOverChatbot } from '../../src/chatbots/create.ts';
import { readContact } from '../../src/chatling/reading.ts';
import { type StoredContact, touched, unknownContact } from '../../src/contacts/contact.ts';
import type { ContactTexts, Draft } from '../../src/contacts/draft.ts';
import { importContacts as importContactsOperation } from '../../src/contacts/import.ts';
import type { ContactList } from '../../src/contacts/store.ts';
import type { EventType } from '../../src/events/event.ts';
import { digestOrder, rowDigest } from '../../src/files/row-digest.ts';
import { type ConflictPolicy, mirrored, type Outcome } from '../../src/imports.ts';
import { importMembers as importMembersOperation } from '../../src/members/import.ts';
import type { MemberDraft } from '../../src/members/matching.ts';
import type { Member, StoredMember } from '../../src/members/member.ts';
import { run } from '../../src/operation.ts';
import { createProject as createProjectOperation } from '../../src/projects/create.ts';
import type { Project } from '../../src/projects/project.ts';
import { nextRevision } from '../../src/revision.ts';
import type { Scope } from '../../src/rights.ts';
import type { Store } from '../../src/store.ts';
import { emailKey } from '../../src/values/email.ts';
import { newChatbotId, newId } from '../../src/values/identifier.ts';
import { formatTimestamp } from '../../src/values/timestamp.ts';

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

const operatorOf = async (store: Store, keyId: string) =>
  operator((await locateApiKey(store.apiKeys, keyId)).project_id);

export async function revokeApiKey(store: Store, keyId: string): Promise<ApiKey> {
  return (await run(revokeApiKeyOperation, store, await operatorOf(store, keyId), { keyId })).output;
}

export async function rotateApiKey(
  store: Store,
  keyId: string,
  overlapSeconds: number,
): Promise<NewApiKey & { replaced: ApiKey }> {
  const input = { keyId, overlap: `${overlapSeconds}s` };
  return (await run(rotateApiKeyOperation, store, await operatorOf(store, keyId), input)).output;
}

export async function updateApiKey(store: Store, keyId: string, scopes: readonly Scope[]): Promise<ApiKey> {
  return (await run(updateApiKeyOperation, store, await operatorOf(store, keyId), { keyId, scopes })).output;
}

/** Stores members in exactly these states, also where an import would refuse them. */
export async function storeMembers(store: Store, projectId: string, members: Member[]): Promise<void> {
  await store.write(operator(projectId), async (unit) => {
    const found = await unit.members.findForWriting(projectId, { emails: members.map(({ email }) => email) });
    const before = new Map(found.map((member) => [emailKey(member.email), member]));
    const now = formatTimestamp(new Date());
    const saved = members.map((member): StoredMember => {
      const times =
        member.status === 'Pending' ? { invited_at: now, joined_at: null } : { invited_at: null, joined_at: now };
      const known = before.get(emailKey(member.email)) ?? { id: newId(), revision: 0, ...times };
      return { ...known, ...member, revision: nextRevision(known.revision) };
    });
    await unit.members.save(projectId, saved);
    const told = Object.entries({ 'member.invited': 'Pending', 'member.activated': 'Active' }).map(([type, status]) => {
      return { type: type as EventType, member_ids: saved.filter((one) => one.status === status).map(({ id }) => id) };
    });
    return { output: undefined, changes: told.filter(({ member_ids: ids }) => ids.length > 0) };
  });
}

/** Stores contacts in exactly these states. */
export async function storeContacts(
  store: Store,
  projectId: string,
  chatbotId: string,
  contacts: StoredContact[],
  signal?: AbortSignal,
): Promise<void> {
  const at = formatTimestamp(new Date());
  await store.write(
    operator(projectId),
    async (unit) => {
      const found = await unit.contacts.findForWriting(
        projectId,
        chatbotId,
        contacts.map(({ id }) => `id:${id}`),
      );
      const saved = contacts.map((contact) => {
        const [before] = found.get(`id:${contact.id}`) ?? [];
        return {
          before,
          after: touched({ ...contact, revision: before?.revision ?? contact.revision }, contact.updated_at ?? at),
        };
      });
      await unit.contacts.save(projectId, chatbotId, saved);
      const ofKind = (isNew: boolean) => saved.flatMap(({ before, after }) => (!before === isNew ? after.id : []));
      const changes = [
        { type: 'contact.created' as const, chatbot_id: chatbotId, contact_ids: ofKind(true) },
        { type: 'contact.updated' as const, chatbot_id: chatbotId, contact_ids: ofKind(false) },
      ];
      return { output: undefined, changes: changes.filter(({ contact_ids }) => contact_ids.length > 0) };
    },
    signal,
    [chatbotId],
  );
}

/** How many contacts a list of a chatbot has. */
export async function totalOf(
  { contacts }: Pick<Store, 'contacts'>,
  { projectId, chatbotId }: Pick<ProjectWithPeople, 'projectId' | 'chatbotId'>,
  list: ContactList = 'newest',
): Promise<number | undefined> {
  return (await contacts.page(projectId, chatbotId, { list, isWhole: false }, 1, 1))?.total;
}

/** The digest of a row with these cells, by heading. */
export function digestOf(row: object): string {
  const [headings, cells] = [Object.keys(row), Object.values(row) as unknown[]];
  return rowDigest({ line: 1, headings, cells }, digestOrder(headings));
}

const oneBatch = { mode: 'complete', isDry: false, earlier: new Map(), planned: [], created: 0 } as const;

/** One batch of rows of a file; an outcome for each. `note` is no field of theirs. */
export async function importContacts(
  store: Store,
  projectId: string,
  chatbotId: string,
  given: (ContactTexts & { note?: string; tags?: string[] })[],
  policy: ConflictPolicy = 'update',
): Promise<readonly Outcome[]> {
  const rows = given.map(({ note, tags, ...texts }, i) => {
    const digest = digestOf({ ...texts, ...(note !== undefined && { note }) });
    return { line: i + 1, digest, draft: { texts, ...(tags && { tags }) } };
  });
  const batch = { ...oneBatch, chatbotId, rows, policy };
  return (await run(importContactsOperation, store, operator(projectId), batch)).output.outcomes;
}

/** One batch of members; an outcome for each. */
export async function importMembers(
  store: Store,
  projectId: string,
  drafts: MemberDraft[],
): Promise<readonly Outcome[]> {
  const rows = drafts.map((draft, i) => ({ line: i + 1, draft, digest: digestOf(draft) }));
  return (await run(importMembersOperation, store, operator(projectId), { ...oneBatch, rows, policy: 'update' })).output
    .outcomes;
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
  const batch = { ...mirrored<Draft, StoredContact>(drafts), chatbotId };
  const { output } = await run(importContactsOperation, store, operator(projectId), batch);
  const next = output.outcomes.values();
  return read.map((one) => ('contact' in one ? (next.next().value as Outcome) : { refused: one.objection }));
}

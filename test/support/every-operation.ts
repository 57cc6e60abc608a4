import { document } from './document.ts';

/** Things of a project, by which every operation can be asked about one. */
export interface Ids {
  chatbotId: string;
  contactId: string;
  second: string;
  binned: string;
  memberId: string;
  webhookId: string;
  mergeId: string;
  /** Of an invitation. */
  token: string;
}

/** What each operation is sent where it takes a body. */
const bodies: Record<string, (ids: Ids) => object> = {
  updateProjectSettings: () => ({ name: 'Other' }),
  inviteMember: () => ({ email: 'new@example.com', roles: ['Viewer'] }),
  reinviteMember: () => ({}),
  updateMember: () => ({ roles: ['Viewer'] }),
  acceptInvitation: ({ token }) => ({ token }),
  createChatbot: () => ({ name: 'New' }),
  updateChatbot: () => ({ name: 'Other' }),
  createContact: () => ({ properties: { name: 'New' } }),
  upsertContact: ({ contactId: id }) => ({ match: { id }, properties: { city: 'Rome' } }),
  bulkContacts: ({ contactId: id }) => ({ items: [{ op: 'update', id, properties: { city: 'Oslo' } }] }),
  lookUpContacts: ({ contactId }) => ({ ids: [contactId] }),
  searchContacts: () => ({ query: 'theirs' }),
  findDuplicates: () => ({}),
  dismissDuplicates: ({ contactId, second }) => ({ contact_ids: [contactId, second] }),
  updateContact: () => ({ properties: { city: 'Lima' } }),
  restoreContact: () => ({}),
  mergeContacts: ({ second }) => ({ from: [second] }),
  undoMerge: () => ({}),
  searchAllContacts: ({ chatbotId }) => ({ query: 'theirs', chatbot_ids: [chatbotId] }),
  lookUpAllContacts: () => ({ email: 'theirs@example.com' }),
  discloseContacts: () => ({ email: 'theirs@example.com' }),
  eraseContacts: ({ chatbotId, contactId: id }) => ({ contacts: [{ chatbot_id: chatbotId, id }] }),
  createWebhook: ({ chatbotId }) => ({ ...aHook, chatbot_ids: [chatbotId] }),
  updateWebhook: () => ({ description: 'Other' }),
  testWebhook: () => ({}),
  rotateWebhook: () => ({}),
  replayWebhook: () => ({ since: '2024-06-08T13:38:33+00:00' }),
};
/** Allowed by ROSTER_WEBHOOK_ALLOW=127.0.0.1; nobody listens there. */
const aHook = { url: 'http://127.0.0.1:9/', events: ['contact.*'] };

export interface Operation {
  operationId: string;
  method: 'GET' | 'POST' | 'DELETE';
  path: string;
  /** Statuses of success in the document. */
  successes: string[];
}

const isLast = ({ operationId }: Operation) => /^(delete|remove|erase)/.test(operationId);

/** Every operation of the document, in an order in which all succeed: what takes a thing away comes last. */
export const everyOperation: readonly Operation[] = Object.entries(document.paths)
  .flatMap(([path, item]) =>
    Object.entries(item).map(([method, { operationId, responses }]) => {
      const successes = Object.keys(responses).filter((status) => status.startsWith('2'));
      return { operationId, method: method.toUpperCase() as 'GET', path, successes };
    }),
  )
  .toSorted((one, other) => Number(isLast(one)) - Number(isLast(other)));

/** The request for an operation about these things. */
export function requestOf({ operationId, method, path }: Operation, ids: Ids) {
  const contactId = operationId === 'restoreContact' ? ids.binned : ids.contactId;
  const given = { ...ids, contactId } as unknown as Record<string, string>;
  const url = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => given[name] ?? '');
  return { method, url, payload: bodies[operationId]?.(ids) };
}

interface Made {
  id: string;
  merge_id: string;
  invitation: { url: string };
  results: { id: string }[];
}

/** Makes them in a chatbot, by a key that may do everything; `ask` returns the data of an answer. */
export async function makeThings(
  ask: (method: 'POST' | 'DELETE', url: string, payload?: object) => Promise<unknown>,
  chatbotId: string,
): Promise<Ids> {
  const post = (url: string, payload: object) => ask('POST', url, payload) as Promise<Made>;
  const contacts = `/v2/chatbots/${chatbotId}/contacts`;
  const properties = { name: 'Theirs', email: 'theirs@example.com' };
  const items = Array.from({ length: 5 }, () => ({ op: 'create', properties }));
  const { results } = await post(`${contacts}/bulk`, { items });
  const [contactId = '', second = '', binned = '', stays = '', merged = ''] = results.map(({ id }) => id);
  await ask('DELETE', `${contacts}/${binned}`);
  const { merge_id: mergeId } = await post(`${contacts}/${stays}/merge`, { from: [merged] });
  const invite = (email: string) => post('/v2/members', { email, roles: ['Viewer'] });
  const { id: memberId } = await invite('theirs@example.com');
  const { invitation } = await invite('theirs.too@example.com');
  const { id: webhookId } = await post('/v2/webhooks', aHook);
  const token = invitation.url.split('#')[1] ?? '';
  return { chatbotId, contactId, second, binned, memberId, webhookId, mergeId, token };
}

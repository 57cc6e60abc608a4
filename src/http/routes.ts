import { retrieveApiKey } from '../api-keys/retrieve.ts';
import { createChatbot } from '../chatbots/create.ts';
import { listChatbots, listChatbotTemplates } from '../chatbots/list.ts';
import { retrieveChatbot } from '../chatbots/retrieve.ts';
import { updateChatbot } from '../chatbots/update.ts';
import { bulkContacts } from '../contacts/bulk.ts';
import { createContact } from '../contacts/create.ts';
import { deleteContact } from '../contacts/delete.ts';
import { discloseContacts } from '../contacts/disclose.ts';
import { dismissDuplicates } from '../contacts/duplicates/dismiss.ts';
import { findDuplicates } from '../contacts/duplicates/find.ts';
import { eraseContacts } from '../contacts/erase.ts';
import { listContacts } from '../contacts/list.ts';
import { lookUpAllContacts, lookUpContacts } from '../contacts/lookup.ts';
import { mergeContacts } from '../contacts/merging/merge.ts';
import { undoMerge } from '../contacts/merging/undo.ts';
import { restoreContact } from '../contacts/restore.ts';
import { retrieveContact } from '../contacts/retrieve.ts';
import { searchContacts, searchAllContacts } from '../contacts/search.ts';
import { updateContact } from '../contacts/update.ts';
import { type Upserted, upsertContact } from '../contacts/upsert.ts';
import { listEvents } from '../events/feed.ts';
import { acceptInvitation } from '../members/accept.ts';
import { inviteMember, reinviteMember } from '../members/invite.ts';
import { listMembers } from '../members/list.ts';
import { removeMember } from '../members/remove.ts';
import { retrieveMember } from '../members/retrieve.ts';
import { updateMember } from '../members/update.ts';
import type { Operation } from '../operation.ts';
import { retrieveProjectSettings, updateProjectSettings } from '../projects/settings.ts';
import { retrieveChatbotUsage, retrieveContactUsage, retrieveUserSeats } from '../projects/usage.ts';
import { createWebhook } from '../webhooks/create.ts';
import { deleteWebhook } from '../webhooks/delete.ts';
import { listDeliveries } from '../webhooks/deliveries.ts';
import { listWebhooks, retrieveWebhook } from '../webhooks/list.ts';
import { replayWebhook } from '../webhooks/replay.ts';
import { rotateWebhook } from '../webhooks/rotate.ts';
import { testWebhook } from '../webhooks/test.ts';
import { updateWebhook } from '../webhooks/update.ts';

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';
export type Params = Readonly<Record<string, string | undefined>>;

export interface Route {
  readonly method: Method;
  readonly path: string;
  readonly operation: Operation<never, unknown>;
  readonly status: number;
  /** The path of what the request creates, for Location; `:id` is that of the output. */
  readonly creates: string | undefined;
  /** Whether the status is that of a creation; missing means always. Otherwise it is 200. */
  readonly isCreated?: (output: never) => boolean;
}

export const routes: readonly Route[] = [
  route('GET', '/v2/key', retrieveApiKey),
  route('GET', '/v2/project/settings', retrieveProjectSettings),
  route('PATCH', '/v2/project/settings', updateProjectSettings),
  route('GET', '/v2/usage/user-seats', retrieveUserSeats),
  route('GET', '/v2/usage/chatbots', retrieveChatbotUsage),
  route('GET', '/v2/usage/contacts', retrieveContactUsage),
  route('GET', '/v2/members', listMembers),
  route('POST', '/v2/members', inviteMember, '/v2/members/:id'),
  route('POST', '/v2/members/:memberId/invitation', reinviteMember),
  route('GET', '/v2/members/:memberId', retrieveMember),
  route('PATCH', '/v2/members/:memberId', updateMember),
  route('DELETE', '/v2/members/:memberId', removeMember),
  route('POST', '/v2/invitations/accept', acceptInvitation),
  route('GET', '/v2/chatbots', listChatbots),
  route('GET', '/v2/chatbot-templates', listChatbotTemplates),
  route('POST', '/v2/chatbots', createChatbot, '/v2/chatbots/:id'),
  route('GET', '/v2/chatbots/:chatbotId', retrieveChatbot),
  route('PATCH', '/v2/chatbots/:chatbotId', updateChatbot),
  route('GET', '/v2/chatbots/:chatbotId/contacts', listContacts),
  route('POST', '/v2/chatbots/:chatbotId/contacts', createContact, '/v2/chatbots/:chatbotId/contacts/:id'),
  {
    ...route('POST', '/v2/chatbots/:chatbotId/contacts/upsert', upsertContact),
    status: 201,
    isCreated: ({ outcome }: Upserted) => outcome === 'created',
  },
  route('POST', '/v2/chatbots/:chatbotId/contacts/bulk', bulkContacts),
  route('POST', '/v2/chatbots/:chatbotId/contacts/lookup', lookUpContacts),
  route('POST', '/v2/chatbots/:chatbotId/contacts/search', searchContacts),
  route('POST', '/v2/chatbots/:chatbotId/contacts/duplicates', findDuplicates),
  route('POST', '/v2/chatbots/:chatbotId/contacts/duplicates/dismiss', dismissDuplicates),
  route('GET', '/v2/chatbots/:chatbotId/contacts/:contactId', retrieveContact),
  route('PATCH', '/v2/chatbots/:chatbotId/contacts/:contactId', updateContact),
  route('DELETE', '/v2/chatbots/:chatbotId/contacts/:contactId', deleteContact),
  route('POST', '/v2/chatbots/:chatbotId/contacts/:contactId/restore', restoreContact),
  route('POST', '/v2/chatbots/:chatbotId/contacts/:contactId/merge', mergeContacts),
  route('POST', '/v2/chatbots/:chatbotId/merges/:mergeId/undo', undoMerge),
  route('POST', '/v2/contacts/search', searchAllContacts),
  route('POST', '/v2/contacts/lookup', lookUpAllContacts),
  route('POST', '/v2/contacts/disclose', discloseContacts),
  route('POST', '/v2/contacts/erase', eraseContacts),
  route('GET', '/v2/events', listEvents),
  route('GET', '/v2/webhooks', listWebhooks),
  route('POST', '/v2/webhooks', createWebhook, '/v2/webhooks/:id'),
  route('GET', '/v2/webhooks/:webhookId', retrieveWebhook),
  route('PATCH', '/v2/webhooks/:webhookId', updateWebhook),
  route('DELETE', '/v2/webhooks/:webhookId', deleteWebhook),
  route('POST', '/v2/webhooks/:webhookId/test', testWebhook),
  route('POST', '/v2/webhooks/:webhookId/rotate', rotateWebhook),
  route('POST', '/v2/webhooks/:webhookId/replay', replayWebhook),
  route('GET', '/v2/webhooks/:webhookId/deliveries', listDeliveries),
];

export function route(method: Method, path: string, operation: Operation<never, unknown>, creates?: string): Route {
  return { method, path, operation, status: creates === undefined ? 200 : 201, creates };
}

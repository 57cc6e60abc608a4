import { retrieveApiKey } from '../api-keys/retrieve.ts';
import { createChatbot } from '../chatbots/create.ts';
import { listChatbots } from '../chatbots/list.ts';
import { retrieveChatbot } from '../chatbots/retrieve.ts';
import { updateChatbot } from '../chatbots/update.ts';
import { retrieveContact } from '../contacts/retrieve.ts';
import { listMembers } from '../members/list.ts';
import type { Operation } from '../operation.ts';
import { retrieveProjectSettings, updateProjectSettings } from '../projects/settings.ts';
import { retrieveChatbotUsage, retrieveUserSeats } from '../projects/usage.ts';

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** A path that runs an operation. Its input is the parameters of the path, the query and the body together. */
export interface Route {
  readonly method: Method;
  readonly path: string;
  readonly operation: Operation<never, unknown>;
  readonly status: number;
  /** The path of what the request creates, for Location; `:id` is that of the output. */
  readonly creates: string | undefined;
}

/** Every route under `/v2`, a line each. Router, 405, guard, scopes and the OpenAPI document follow from it. */
export const routes: readonly Route[] = [
  route('GET', '/v2/key', retrieveApiKey),
  route('GET', '/v2/project/settings', retrieveProjectSettings),
  route('PATCH', '/v2/project/settings', updateProjectSettings),
  route('GET', '/v2/usage/user-seats', retrieveUserSeats),
  route('GET', '/v2/usage/chatbots', retrieveChatbotUsage),
  route('GET', '/v2/members', listMembers),
  route('GET', '/v2/chatbots', listChatbots),
  route('POST', '/v2/chatbots', createChatbot, '/v2/chatbots/:id'),
  route('GET', '/v2/chatbots/:chatbotId', retrieveChatbot),
  route('PATCH', '/v2/chatbots/:chatbotId', updateChatbot),
  route('GET', '/v2/chatbots/:chatbotId/contacts/:contactId', retrieveContact),
];

export function route(method: Method, path: string, operation: Operation<never, unknown>, creates?: string): Route {
  return { method, path, operation, status: creates === undefined ? 200 : 201, creates };
}

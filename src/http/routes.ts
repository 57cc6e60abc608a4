import { retrieveApiKey } from '../api-keys/retrieve.ts';
import { retrieveContact } from '../contacts/retrieve.ts';
import { listMembers } from '../members/list.ts';
import type { Operation } from '../operation.ts';

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** A path that runs an operation. Its input is the parameters of the path, the query and the body together. */
export interface Route {
  readonly method: Method;
  readonly path: string;
  readonly operation: Operation<never, unknown>;
  readonly status: number;
}

/** Every route under `/v2`, a line each. Router, 405, guard, scopes and the OpenAPI document follow from it. */
export const routes: readonly Route[] = [
  route('GET', '/v2/key', retrieveApiKey),
  route('GET', '/v2/members', listMembers),
  route('GET', '/v2/chatbots/:chatbotId/contacts/:contactId', retrieveContact),
];

export function route(method: Method, path: string, operation: Operation<never, unknown>, status = 200): Route {
  return { method, path, operation, status };
}

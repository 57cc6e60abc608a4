import { scopes } from '../../src/actor.ts';
import { openApp } from './app.ts';
import { aMember, aProject, createApiKey } from './people.ts';

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

type Headers = Record<string, string | undefined>;

/** A server with one project, its Owner and an Editor, asked with a key of every scope. */
export async function openFullDesk() {
  const server = await openApp();
  const members = [aMember({ roles: ['Owner'] }), aMember({ email: 'bo@example.com', roles: ['Editor'] })];
  const project = await aProject(server.store, { members });
  const { token } = await createApiKey(server.store, project.projectId, { name: 'all', scopes: [...scopes] });
  const optionsOf = (method: Method, url: string, payload?: object, headers: Headers = {}) => {
    const sent = { host: 'roster.test', authorization: `Bearer ${token}`, ...headers };
    return { method, url, ...(payload && { payload }), headers: sent };
  };
  const ask = async (...asked: Parameters<typeof optionsOf>) => {
    const answer = await server.ask(optionsOf(...asked));
    const etag = answer.headers['etag'] ?? '';
    return { ...answer, etag, data: answer.json.data as unknown as Record<string, never> };
  };
  return { server, project, contacts: `/v2/chatbots/${project.chatbotId}/contacts`, ask, optionsOf };
}

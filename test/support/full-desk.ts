import { scopes } from '../../src/rights.ts';
import type { TestApp } from './app.ts';
import { eventsOf } from './events.ts';
import { aMember, aProject } from './people.ts';

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

type Headers = Record<string, string | undefined>;

const members = [aMember({ roles: ['Owner'] }), aMember({ email: 'bo@example.com', roles: ['Editor'] })];

/** A project with its Owner and an Editor, asked with a key of every scope. A URL is one of /v2, or goes on from the contacts. */
export async function aDesk(server: TestApp, given: Parameters<typeof aProject>[1] = {}) {
  const project = await aProject(server.store, { members, scopes: [...scopes], ...given });
  const contacts = `/v2/chatbots/${project.chatbotId}/contacts`;
  const optionsOf = (method: Method, path: string, payload?: object | string, headers: Headers = {}) => {
    const isText = typeof payload === 'string' || Buffer.isBuffer(payload);
    const type = isText ? { 'content-type': 'application/json' } : {};
    const sent = { host: 'roster.test', authorization: `Bearer ${project.token}`, ...type, ...headers };
    const url = path.startsWith('/v2') ? path : `${contacts}${path}`;
    return { method, url, ...(payload !== undefined && { payload }), headers: sent };
  };
  const ask = async (...asked: Parameters<typeof optionsOf>) => {
    const answer = await server.ask(optionsOf(...asked));
    return {
      ...answer,
      etag: answer.headers['etag'] ?? '',
      data: answer.json.data as unknown as Record<string, never>,
      errors: (answer.json.errors ?? []).map(({ field, code }) => `${field} ${code}`),
    };
  };
  return {
    ...project,
    server,
    store: server.store,
    contacts,
    ask,
    optionsOf,
    create: async (properties: object): Promise<string> => (await ask('POST', '', { properties })).data['id'] ?? '',
    events: () => eventsOf(server.store, project.projectId),
  };
}

export type Desk = Awaited<ReturnType<typeof aDesk>>;

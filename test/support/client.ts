import { type ClientOptions, RosterClient } from '../../clients/typescript/src/index.ts';
import type { HttpSettings } from '../../src/http/app.ts';
import { scopes } from '../../src/rights.ts';
import { openApp, portOf } from './app.ts';
import { aContact, aProject } from './people.ts';

/** A Roster on a socket with the engine of this run, a project with a chatbot, and a client with a key for all of it. */
export async function aServedClient(
  given: { settings?: Partial<HttpSettings>; contacts?: number; chatbotId?: string } = {},
) {
  const opened = await openApp(given.settings);
  const contacts = manyContacts(given.contacts ?? 0);
  const { chatbotId } = given;
  const wanted = { scopes: [...scopes], contacts, ...(chatbotId !== undefined && { chatbotId }) };
  const project = await aProject(opened.store, wanted);
  const address = `http://127.0.0.1:${await portOf(opened.app)}`;
  const clientWith = (options: Partial<ClientOptions> = {}) =>
    new RosterClient({ baseUrl: `${address}/v2`, apiKey: project.token, ...options });
  return {
    ...project,
    address,
    store: opened.store,
    client: clientWith(),
    clientWith,
    ids: contacts.map(({ id }) => id),
    [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
  };
}

/** Some of them at the same second. */
function manyContacts(count: number) {
  return Array.from({ length: count }, (_, index) => {
    const second = String(Math.floor(index / 7) % 60).padStart(2, '0');
    const name = `Person ${index}`;
    return aContact({ id: `c${index}`, name, email: null, created_at: `2024-06-08T13:38:${second}+00:00` });
  });
}

import { describe, expect, it } from 'vitest';

import { generateToken } from '../../src/api-keys/token.ts';
import { raw, sql } from '../../src/database/sql.ts';
import { AppError } from '../../src/errors.ts';
import type { HttpSettings } from '../../src/http/app.ts';
import type { Answered } from '../../src/observability/access-log.ts';
import type { Store } from '../../src/store.ts';
import { openApp } from '../support/app.ts';
import { openStoreOfRun } from '../support/engines.ts';
import { aContact, aProject } from '../support/people.ts';

async function opened(settings: Partial<HttpSettings> = {}) {
  const database = await openStoreOfRun();
  const contacts = Array.from({ length: 30 }, (_, i) => aContact({ id: `p${i}`, name: 'Bo', phone: null }));
  const project = await aProject(database.store, { contacts });
  const answered: Answered[] = [];
  const watched = watch(database.store);
  const server = await openApp(settings, watched.watched, { onAnswered: [(answer) => void answered.push(answer)] });
  const ofChatbot = `/v2/chatbots/${project.chatbotId}/contacts`;
  return {
    ...project,
    ...watched,
    answered,
    database: database.database,
    list: ofChatbot,
    contact: (id: string) => `${ofChatbot}/${id}`,
    get: (path: string, token = project.token) => server.get(path, token),
    [Symbol.asyncDispose]: async () => {
      await server[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
    },
  };
}

/** The store, what it is asked, and a way to make it fail. */
function watch(store: Store) {
  const asked: string[] = [];
  const failing = new Set<string>();
  const asking = <Result>(name: string, ask: () => Promise<Result>): Promise<Result> => {
    asked.push(name);
    return failing.has(name) ? Promise.reject(new AppError('unavailable', 'The store is away.')) : ask();
  };
  const { contacts, apiKeys } = store;
  const watched: Store = {
    ...store,
    contacts: { ...contacts, find: (...given) => asking('contacts.find', () => contacts.find(...given)) },
    apiKeys: {
      ...apiKeys,
      findByHash: (...given) => asking('apiKeys.findByHash', () => apiKeys.findByHash(...given)),
    },
  };
  return { watched, failing, takeAsked: () => asked.splice(0) };
}

it('an answer shows what was changed by hand, without an event, in the request before', async () => {
  await using at = await opened();
  for (const phone of ['1', '2', '3']) {
    await at.database.run(sql`update contacts set phone = ${phone} where project_id = ${at.projectId}`);
    for (let time = 0; time < 2; time++) {
      expect((await at.get(at.contact('p1'))).json.data).toMatchObject({ phone });
      expect(JSON.stringify((await at.get(at.list)).json.data)).toContain(`"phone":"${phone}"`);
    }
  }
  await at.database.run(sql`delete from contacts where ${raw(`project_id = '${at.projectId}'`)} and id = 'p1'`);
  expect((await at.get(at.contact('p1'))).status).toBe(404);
});

describe('the store', () => {
  it('is asked once for each thing that an answer needs, also by the same request again', async () => {
    await using at = await opened();
    const askedFor = async (path: string, token = at.token) => {
      const { status } = await at.get(path, token);
      return [status, ...at.takeAsked()];
    };
    for (let time = 0; time < 3; time++) {
      expect(await askedFor(at.contact('p1'))).toEqual([200, 'apiKeys.findByHash', 'contacts.find']);
    }
    expect(await askedFor(at.contact('nobody'), generateToken())).toEqual([401, 'apiKeys.findByHash']);
    expect(await askedFor(at.contact('nobody'), 'too-short')).toEqual([401]);
  });

  it('is asked once when it fails, and the answer tells what a refusal tells', async () => {
    await using at = await opened({ rateLimit: 100 });
    for (const failing of ['contacts.find', 'apiKeys.findByHash']) {
      at.takeAsked();
      at.answered.splice(0);
      at.failing.add(failing);
      const isKnown = failing === 'contacts.find';
      const { status, headers } = await at.get(at.contact('nobody'), isKnown ? at.token : generateToken());
      expect([status, headers['retry-after']]).toEqual([503, '5']);
      expect(at.takeAsked().filter((name) => name === failing)).toEqual([failing]);
      expect(headers['x-ratelimit-limit']).toBe(isKnown ? '100' : undefined);
      expect(at.answered.map((one) => [one.status, one.keyId])).toEqual([[503, isKnown ? at.keyId : undefined]]);
    }
  });
});

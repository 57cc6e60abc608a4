import { expect, it } from 'vitest';

import type { Scope } from '../../src/actor.ts';
import { openApp } from '../support/app.ts';
import {
  aContact,
  aMember,
  createApiKey,
  createChatbot,
  createProject,
  storeContacts,
  storeMembers,
} from '../support/people.ts';
import { seededRandom } from '../support/random.ts';

const seed = Number(process.env['ROSTER_TEST_SEED'] ?? 20_261_121);
// The acceptance suite asks 100,000 times on each engine.
const requests = 800;
const projects = 12;

interface Key {
  token: string;
  project: number | undefined;
  scopes: Scope[];
}

it(
  `shows nobody another project's people in ${requests} random requests (seed ${seed})`,
  { timeout: 90_000 },
  async () => {
    await using server = await openApp();
    const random = seededRandom(seed);
    // Equal ids in different projects on purpose: only the project tells them apart.
    const chatbotIds = ['1000000001', '1000000002', 'shared', 'bot/1'];
    const contactIds = ['a', 'b', 'c', 'qtr89df0-112d-d197-b541-3f8674663246', 'ü'];
    const model = new Map<string, string>();
    const keys: Key[] = [];
    const projectIds: string[] = [];
    for (let project = 0; project < projects; project++) {
      const { id } = await createProject(server.store, { name: `Project ${project}` });
      projectIds.push(id);
      await storeMembers(server.store, id, [aMember({ email: `owner-${project}@example.com`, roles: ['Owner'] })]);
      for (const chatbotId of chatbotIds) {
        if (random.below(3) === 0) continue;
        await createChatbot(server.store, id, { name: 'Bot', id: chatbotId });
        const ids = contactIds.filter(() => random.below(2) === 0);
        await storeContacts(
          server.store,
          id,
          chatbotId,
          ids.map((contactId) => aContact({ id: contactId, name: `${project}/${chatbotId}/${contactId}` })),
        );
        for (const contactId of ids)
          model.set(`${project} ${chatbotId} ${contactId}`, `${project}/${chatbotId}/${contactId}`);
      }
      for (const scopes of [['members:read', 'contacts:read'], ['members:read'], ['contacts:read']] as Scope[][]) {
        keys.push({
          token: (await createApiKey(server.store, id, { name: 'k', scopes })).token,
          project,
          scopes,
        });
      }
      const expired = await createApiKey(server.store, id, { name: 'old', expiresInSeconds: -1 });
      keys.push({ token: expired.token, project: undefined, scopes: [] });
    }
    expect(model.size).toBeGreaterThan(50);

    const ask = async (url: string, token: string) => {
      const { status, json } = await server.get(url, token);
      return { status, data: json.data as { name?: string; members?: { email: string }[] } | undefined };
    };
    const tally = { 200: 0, 401: 0, 403: 0, 404: 0 };
    for (let i = 0; i < requests; i++) {
      const key = random.pick(keys);
      const aboutMembers = random.below(8) === 0;
      const needed: Scope = aboutMembers ? 'members:read' : 'contacts:read';
      const [chatbotId, contactId] = [random.pick([...chatbotIds, 'none']), random.pick([...contactIds, 'none'])];
      const url = aboutMembers
        ? '/v2/members'
        : `/v2/chatbots/${encodeURIComponent(chatbotId)}/contacts/${encodeURIComponent(contactId)}`;
      const known = model.get(`${key.project} ${chatbotId} ${contactId}`);
      const refused = key.project === undefined ? 401 : key.scopes.includes(needed) ? undefined : 403;
      const status = refused ?? (aboutMembers || known !== undefined ? 200 : 404);

      const answer = await ask(url, key.token);
      const seen = answer.data?.name ?? answer.data?.members?.map(({ email }) => email).join();
      const expected = status === 200 ? (aboutMembers ? `owner-${key.project}@example.com` : known) : undefined;
      if (answer.status !== status || seen !== expected) {
        expect.fail(
          `request ${i}: project ${key.project} ${url}: ${answer.status} ${seen} instead of ${status} ${expected}`,
        );
      }
      tally[status]++;
    }
    // Every kind of answer was asked for, so that none of them is right by default.
    for (const count of Object.values(tally)) expect(count).toBeGreaterThan(requests / 100);
  },
);

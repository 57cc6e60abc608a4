import type { Guarantee, Trial } from '../guarantee.ts';
import { createKey, populate } from '../installation.ts';
import { type Asked, openApi } from '../parts/api.ts';
import { type Document, strictClient } from '../strict/client.ts';
import { tour } from '../strict/tour.ts';

/** A tour of all operations by a client that accepts what the served OpenAPI document names, and nothing else. */
export const strictClientTour: Guarantee = {
  name: 'strict client',
  promise: 'every answer has the documented status, headers, keys in their order and types, and nothing more',
  // So many tours.
  sizes: { smoke: 0, core: 1, full: 3 },
  engines: ['SQLite', 'PostgreSQL'],
  isHarmless: false,
  prove,
};

const enough = '1000000';
const few = '3';

async function prove({ install, size }: Trial) {
  const failures: string[] = [];
  let asked = 0;
  const missing = new Set<string>();
  for (let round = 0; round < size; round++) {
    const at = await install();
    await populate(at, 3);
    const token = await createKey(at, 'all', ['all']);
    const { port, address } = await at.serve({ ROSTER_RATE_LIMIT: enough, ROSTER_WEBHOOK_ALLOW: '127.0.0.1' });
    const client = strictClient((await (await fetch(`${address}/openapi.json`)).json()) as Document);
    const openAsk = async (key: string, toPort = port) => {
      const api = await openApi(toPort, key, 1);
      return async (one: Asked, status: number) => {
        asked++;
        const reply = await api.ask(one);
        const what = `${one.method} ${one.path} ${one.body ?? ''}`;
        if (reply.status !== status) failures.push(`${what} is ${reply.status} and not ${status}: ${reply.body}`);
        failures.push(...client.objections(one, reply).map((wrong) => `${what}: ${reply.status}: ${wrong}`));
        const { data } = JSON.parse(reply.body || '{}') as { data: never };
        return { reply, data };
      };
    };
    await tour(await openAsk(token), '/v2/chatbots/shop/contacts');
    const contact = { method: 'GET', path: '/v2/chatbots/shop/contacts/contact-1' } as const;
    await (
      await openAsk('nobody')
    )(contact, 401);
    const reader = await openAsk(await createKey(at, 'reader', ['members:read']));
    await reader(contact, 403);
    const limited = await at.serve({ ROSTER_RATE_LIMIT: few });
    const overLimit = await openAsk(token, limited.port);
    for (const status of [200, 200, 200, 429]) await overLimit(contact, status);
    for (const one of client.successes) if (!client.met.has(one)) missing.add(one);
  }
  failures.push(...[...missing].map((one) => `no answer was ${one}`));
  return { tried: asked, measured: 'every operation, with each of its successes', failures };
}

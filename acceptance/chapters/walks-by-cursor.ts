import { seededRandom } from '../../test/support/random.ts';
import type { Guarantee, Trial } from '../guarantee.ts';
import { type Api, openApi } from '../parts/api.ts';
import type { Random } from '../writes/slot.ts';
import { aTenant, sharedChatbot } from '../writes/tenant.ts';

/** Walks through a list while others add, change, delete and restore. The size is the number of walks. */
export const walksByCursor: Guarantee = {
  name: 'walks by cursor',
  promise: 'whoever is there throughout is met exactly once, and nobody twice, while people come, go and change',
  sizes: { smoke: 0, core: 3, full: 100 },
  engines: ['SQLite', 'PostgreSQL'],
  isHarmless: false,
  prove,
};

const staying = 300;
const changers = 4;
const contacts = `/v2/chatbots/${sharedChatbot}/contacts`;

async function prove({ install, size, seed }: Trial) {
  const random = seededRandom(seed);
  const at = await install();
  await at.run(['migrate']);
  const { token } = await aTenant(at, 'acme');
  const { port } = await at.serve({ ROSTER_RATE_LIMIT: '0' });
  using api = await openApi(port, token);
  const throughout = new Set(await makePeople(at, api));
  const stopping = new AbortController();
  const tally = { changes: 0, met: 0 };
  const ids = [...throughout];
  const changing = Array.from({ length: changers }, (_, index) =>
    keepChanging(api, ids, seededRandom(seed + index), stopping.signal, tally),
  );
  const failures: string[] = [];
  for (let walk = 0; walk < size; walk++) {
    const sort = random.pick(['date_desc', 'date_asc']);
    const perPage = random.pick([3, 7, 20, 100]);
    const met = await walkThrough(api, `sort=${sort}&per_page=${perPage}`);
    tally.met += met.length;
    const once = new Set(met);
    const missed = ids.filter((id) => !once.has(id));
    const what = `walk ${walk} (${sort}, ${perPage} at a time)`;
    if (missed.length > 0) failures.push(`${what} missed ${missed.join()}`);
    if (once.size < met.length) failures.push(`${what} met ${met.length - once.size} more than once`);
  }
  stopping.abort();
  await Promise.all(changing);
  if (tally.changes < size) failures.push(`only ${tally.changes} changes were made meanwhile`);
  return { tried: size, measured: `${tally.met} met, ${tally.changes} changes meanwhile`, failures };
}

/** Those who stay, with times all over the past, so that others come and go between them. */
async function makePeople(at: Awaited<ReturnType<Trial['install']>>, api: Api): Promise<string[]> {
  const people = Array.from({ length: staying }, (_, index) => ({
    id: `stays-${index}`,
    name: `Person ${index}`,
    created_at: `2024-06-08T13:${10 + (index % 7)}:${10 + (index % 11)}+00:00`,
  }));
  const input = people.map((one) => JSON.stringify(one)).join('\n');
  const target = ['--project', 'acme', '--chatbot', sharedChatbot];
  await at.json(['contacts', 'import', '-', '--format', 'ndjson', ...target], { input });
  const items = Array.from({ length: staying }, (_, index) => ({ op: 'create', properties: { name: `New ${index}` } }));
  const body = JSON.stringify({ items });
  const { results } = await api.data<{ results: { id: string }[] }>({ method: 'POST', path: `${contacts}/bulk`, body });
  return [...people, ...results].map(({ id }) => id);
}

async function walkThrough(api: Api, query: string): Promise<string[]> {
  const met: string[] = [];
  let cursor: string | null = '*';
  while (cursor !== null) {
    const path: string = `${contacts}?cursor=${cursor}&${query}`;
    const page: Page = await api.data<Page>({ method: 'GET', path });
    met.push(...page.contacts.map(({ id }) => id));
    cursor = page.next_cursor;
  }
  return met;
}

interface Page {
  next_cursor: string | null;
  contacts: { id: string }[];
}

/** Others come, go, come back and go for good; those who stay change. */
async function keepChanging(
  api: Api,
  ids: readonly string[],
  random: Random,
  signal: AbortSignal,
  tally: { changes: number },
): Promise<void> {
  while (!signal.aborted) {
    const body = JSON.stringify({ properties: { name: 'Passing' } });
    const { id } = await api.data<{ id: string }>({ method: 'POST', path: contacts, body });
    const city = JSON.stringify({ properties: { city: `City ${tally.changes}`, first_name: 'Other' } });
    await api.data({ method: 'PATCH', path: `${contacts}/${random.pick(ids)}`, body: city });
    await api.data({ method: 'DELETE', path: `${contacts}/${id}` });
    const isBack = random.below(2) === 0;
    if (isBack) await api.data({ method: 'POST', path: `${contacts}/${id}/restore` });
    if (random.below(4) > 0) await api.data({ method: 'DELETE', path: `${contacts}/${id}?purge=true` });
    tally.changes += isBack ? 5 : 4;
  }
}

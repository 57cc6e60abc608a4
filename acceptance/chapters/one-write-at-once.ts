import { seededRandom } from '../../test/support/random.ts';
import type { Guarantee, Trial } from '../guarantee.ts';
import { type Api, type Asked, codeOf, headerOf, openApi } from '../parts/api.ts';
import { atOnce } from '../parts/at-once.ts';
import type { Reply } from '../parts/caller.ts';
import { idsIn } from '../writes/journal.ts';
import { aTenant, sharedChatbot } from '../writes/tenant.ts';

/**
 * The same write at once, on four processes: two upserts of one new person, and twenty requests with one idempotency key.
 * The size is the number of pairs; of the twenties there are a tenth as many.
 */
export const oneWriteAtOnce: Guarantee = {
  name: 'one write at once',
  promise:
    'two upserts of a new person make one contact; of 20 requests with one key one writes, and the others tell the same or 409',
  sizes: { smoke: 0, core: 100, full: 10_000 },
  engines: ['SQLite', 'PostgreSQL'],
  isHarmless: false,
  prove,
};

const services = 4;
const pairsAtOnce = 8;
const copies = 20;
const contacts = `/v2/chatbots/${sharedChatbot}/contacts`;

async function prove({ install, size, seed, tell }: Trial) {
  const at = await install();
  await at.run(['migrate']);
  const { token } = await aTenant(at, 'acme');
  const served = await Promise.all(Array.from({ length: services }, () => at.serve({ ROSTER_RATE_LIMIT: '0' })));
  const apis = await Promise.all(served.map(({ port }) => openApi(port, token, pairsAtOnce)));
  const tally: Tally = { made: new Set(), failures: [], busy: 0, tried: 0 };
  const random = seededRandom(seed);
  const two = () => {
    const one = random.below(services);
    return [apis[one], apis[(one + 1 + random.below(services - 1)) % services]].filter((api) => api !== undefined);
  };
  await atOnce(pairsAtOnce, Array(size).keys(), async (pair) => {
    await upsertBoth(two(), pair, tally);
    if (pair % 1_000 === 999) tell(`${pair + 1} of ${size} pairs`);
  });
  for (let round = 0; round < Math.ceil(size / 10); round++) await askAll(apis, round, tally);
  const [api] = apis;
  const { pages } = (await api?.data<Listed>({ method: 'GET', path: `${contacts}?per_page=1` })) ?? {
    pages: undefined,
  };
  const { failures, made, busy, tried } = tally;
  if (pages?.last_page !== made.size) failures.push(`${pages?.last_page} contacts are there and not ${made.size}`);
  for (const one of apis) one[Symbol.dispose]();
  return {
    tried,
    measured: `${size} pairs and ${Math.ceil(size / 10)} × ${copies} on ${services} processes, ${made.size} contacts; ${busy} × 409 idempotency_in_progress`,
    failures: failures.slice(0, 20),
  };
}

interface Tally {
  made: Set<string>;
  failures: string[];
  /** Requests that were told that another with their key is running. */
  busy: number;
  tried: number;
}

interface Listed {
  pages: { last_page: number };
}

async function upsertBoth(apis: readonly Api[], pair: number, tally: Tally): Promise<void> {
  const match = pair % 2 === 0 ? { email: `p${pair}@example.com` } : { external_id: `x-${pair}` };
  const body = JSON.stringify({ match, properties: { name: `Person ${pair}` } });
  const replies = await Promise.all(apis.map((api) => api.ask({ method: 'POST', path: `${contacts}/upsert`, body })));
  tally.tried += replies.length;
  const ids = new Set(replies.flatMap(idsIn));
  for (const id of ids) tally.made.add(id);
  const outcomes = replies
    .map(({ status, body: text }) => `${status} ${/"outcome":"(\w+)"/.exec(text)?.[1]}`)
    .toSorted();
  if (ids.size === 1 && outcomes.join() === '200 unchanged,201 created') return;
  tally.failures.push(`pair ${pair} was answered with ${replies.map(told).join(' and ')}`);
}

/** All with one key, on all processes. */
async function askAll(apis: readonly Api[], round: number, tally: Tally): Promise<void> {
  const body = JSON.stringify({ properties: { name: `Once ${round}` } });
  const asked: Asked = { method: 'POST', path: contacts, body, idempotencyKey: `once-${round}` };
  const share = Array.from({ length: copies / apis.length });
  const replies = await Promise.all(apis.flatMap((api) => share.map(() => api.ask(asked))));
  tally.tried += replies.length;
  const busy = replies.filter((reply) => reply.status === 409 && codeOf(reply) === 'idempotency_in_progress');
  const good = replies.filter(({ status }) => status === 201);
  const replayed = good.filter((reply) => headerOf(reply, 'idempotent-replayed') === 'true');
  tally.busy += busy.length;
  const bodies = new Set(good.map(({ body: text }) => text));
  for (const id of good.flatMap(idsIn)) tally.made.add(id);
  const isRight = bodies.size === 1 && replayed.length === good.length - 1 && good.length + busy.length === copies;
  if (!isRight) tally.failures.push(`round ${round}: ${replies.map(told).join(' and ')}`);
}

function told({ status, body }: Reply): string {
  return `${status} ${body}`;
}

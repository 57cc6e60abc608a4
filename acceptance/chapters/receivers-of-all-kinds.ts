import type { ServerResponse } from 'node:http';

import { aReceiver, status } from '../../test/support/receiver.ts';
import type { Guarantee, Trial } from '../guarantee.ts';
import { openApi } from '../parts/api.ts';
import { createContacts, missingFrom, objectionsTo, openHearer, until } from '../webhooks/hearer.ts';
import { readFeed } from '../writes/feed.ts';
import { aTenant } from '../writes/tenant.ts';

/**
 * Receivers that hang, redirect, fail, end early, never end or are not allowed any more, beside a good one and one that asks for a
 * pause. The size is the number of events, which all of them ought to hear.
 */
export const receiversOfAllKinds: Guarantee = {
  name: 'receivers of all kinds',
  sizes: { smoke: 0, core: 30, full: 300 },
  sizesOnPostgres: { smoke: 0, core: 0, full: 300 },
  engines: ['SQLite', 'PostgreSQL'],
  prove,
};

/** What it does, the state of its webhook, the status and the reason of each attempt. */
const kinds = [
  ['hangs', 'failing', null, 'timeout', () => undefined],
  ['redirects', 'failing', 302, 'redirect', status(302, { location: 'http://127.0.0.1:1/' })],
  ['is gone', 'disabled', 410, 'status', status(410)],
  ['fails', 'failing', 500, 'status', status(500)],
  ['ends early', 'failing', null, 'closed_early', (response: ServerResponse) => void response.destroy()],
  ['never ends', 'active', 200, null, neverEnd],
  ['is forbidden', 'failing', null, 'forbidden_address', undefined],
] as const;

function neverEnd(response: ServerResponse): void {
  const more = () => {
    while (response.write('x'.repeat(65_536)));
  };
  response.on('drain', more).writeHead(200);
  more();
}

interface Listed {
  deliveries: { status: number | null; reason: string | null }[];
}

const pauseSeconds = 3;
/** Sooner than a receiver that hangs is given up. */
const goodWithinMs = 10_000;
const outcomesWithinMs = 60_000;

async function prove({ install, size }: Trial) {
  const at = await install();
  const { token } = await aTenant(at, 'acme');
  await using undo = new AsyncDisposableStack();
  const first = await at.serve({ ROSTER_WEBHOOK_ALLOW: '127.0.0.1' });
  using opening = await openApi(first.port, token, 1);
  const events = ['contact.*'];
  const good = undo.use(await openHearer(opening, { events }));
  const paused = undo.use(await openHearer(opening, { events }));
  const { answer } = paused.receiver;
  const refuse = status(429, { 'retry-after': String(pauseSeconds) });
  paused.receiver.answer = (response, number) => (number === 1 ? refuse : answer)?.(response, number);
  const receivers = [good.receiver, paused.receiver];
  const ids: string[] = [];
  for (const [, , , , answers] of kinds) {
    const receiver = undo.use(await aReceiver());
    if (answers) receivers.push(Object.assign(receiver, { answer: answers }));
    const body = JSON.stringify({ url: answers ? receiver.url : 'https://localhost:9/', events });
    const { id } = await opening.data<{ id: string }>({ method: 'POST', path: '/v2/webhooks', body });
    ids.push(id);
  }
  first.child.kill('SIGTERM');
  await first.ended;
  const allowed = receivers.map(({ url }) => new URL(url).host).join(',');
  const { port } = await at.serve({ ROSTER_RATE_LIMIT: '0', ROSTER_WEBHOOK_ALLOW: allowed });
  using api = await openApi(port, token);
  await createContacts(api, size);
  const writtenAt = performance.now();
  const { events: told } = await readFeed(api);
  await until(outcomesWithinMs, () => missingFrom(good, told) === 0);
  const goodMs = performance.now() - writtenAt;
  await until(outcomesWithinMs, () => missingFrom(paused, told) === 0);
  const failures = [good, paused].flatMap((one) => objectionsTo(one, told));
  const times = paused.receiver.received.map((one) => one.at);
  const pausedMs = Math.max(...times.slice(1).map((time, index) => time - (times[index] ?? 0)));
  if (pausedMs < pauseSeconds * 1_000) failures.push(`a pause of ${pauseSeconds} s lasted ${pausedMs} ms`);
  const read = async <T>(path: string) => api.data<T>({ method: 'GET', path: `/v2/webhooks/${path}` });
  for (const [index, [name, state, code, reason]] of kinds.entries()) {
    const id = ids[index] ?? '';
    const isSo = async () => (await read<{ state: string }>(id)).state === state;
    if (!(await until(outcomesWithinMs, isSo))) failures.push(`the webhook of one that ${name} is not ${state}`);
    const { deliveries } = await read<Listed>(`${id}/deliveries`);
    const odd = deliveries.find((one) => one.status !== code || one.reason !== reason);
    if (odd || deliveries.length === 0) failures.push(`a receiver that ${name} has ${JSON.stringify(odd)}`);
  }
  return {
    tried: size,
    measured: `${kinds.length} bad receivers; a good one had all ${Math.round(goodMs)} ms after the last commit`,
    failures,
    notShown: goodMs > goodWithinMs ? ['a good receiver waited longer than 10 s'] : [],
  };
}

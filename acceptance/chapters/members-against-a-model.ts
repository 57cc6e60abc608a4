import { setTimeout as pause } from 'node:timers/promises';

import { seededRandom } from '../../test/support/random.ts';
import type { Guarantee, Trial } from '../guarantee.ts';
import type { Installation } from '../installation.ts';
import { aLook, anAct, type Known, wholeTeam } from '../members/acts.ts';
import { openCaller, presentTeam } from '../members/caller.ts';
import { type Entry, openRecord } from '../members/record.ts';
import { isOwner, type Member } from '../members/team.ts';
import { type Api, openApi } from '../parts/api.ts';
import { objectionsToOrder, readFeed } from '../writes/feed.ts';

/**
 * Callers of two processes invite, accept, change and remove the same few members at once, while commands hand the
 * ownership over and readers watch. In the end each answer, page and event is held against a plain model: the events in
 * their order are what was done, and whatever else was answered was right at some moment of its request. The size is the
 * least number of acts; there is a hand-over for each twenty.
 */
export const membersAgainstAModel: Guarantee = {
  name: 'members against a model',
  promise: 'each answer, page and event as the model has it; one Owner and no seat too many at every look',
  sizes: { smoke: 0, core: 200, full: 2_000 },
  engines: ['SQLite', 'PostgreSQL'],
  isHarmless: false,
  prove,
};

const services = 2;
const callersOfService = 4;
const commanders = 2;
const transfersOf = (size: number) => Math.ceil(size / 20);
const seats = 12;
const emails = Array.from({ length: 18 }, (_, number) => `p${number}@example.com`);
const pauseMaxMs = 20;

async function prove({ install, size, seed, tell }: Trial) {
  const at = await install();
  const token = await aTeam(at);
  const served = await Promise.all(Array.from({ length: services }, () => at.serve({ ROSTER_RATE_LIMIT: '0' })));
  const apis = await Promise.all(served.map(({ port }) => openApi(port, token, callersOfService + 1)));
  const [api] = apis;
  if (!api) throw new Error('there is no service');
  const { cursor, events: before } = await readFeed(api);
  const team = await presentTeam(api);
  const record = openRecord(team);
  const known: Known = { emails, ids: team.members.map(({ id }) => id), tokens: [] };
  const caller = openCaller(known);
  const looks: string[] = [];
  let acts = 0;
  let transfers = 0;
  const isEnough = () => acts >= size && transfers >= transfersOf(size);

  const acting = async (own: Api, random: ReturnType<typeof seededRandom>) => {
    for (; !isEnough(); acts++) {
      await caller.ask(own, anAct(known, random));
      await pause(random.below(pauseMaxMs));
    }
  };
  const looking = async (own: Api, random: ReturnType<typeof seededRandom>) => {
    while (!isEnough()) {
      looks.push(...objectionsToLook(await caller.ask(own, aLook(known, random))));
      await pause(random.below(pauseMaxMs / 2));
    }
  };
  const handingOver = async (index: number, random: ReturnType<typeof seededRandom>) => {
    const targets = emails.filter((_, place) => place % commanders === index);
    for (; !isEnough(); transfers++) await caller.transfer(at, random.pick(targets));
  };
  await Promise.all([
    ...apis.flatMap((own, of) =>
      Array.from({ length: callersOfService }, (_, index) => acting(own, seededRandom(seed + 10 * of + index))),
    ),
    ...apis.map((own, of) => looking(own, seededRandom(seed + 100 + of))),
    ...Array.from({ length: commanders }, (_, index) => handingOver(index, seededRandom(seed + 200 + index))),
  ]);
  tell(`${acts} acts and ${transfers} hand-overs are done`);
  // Nothing is under way: these have one right answer.
  for (const own of apis) {
    await caller.ask(own, wholeTeam);
    await caller.ask(own, { kind: 'seats' });
  }
  const { events } = await readFeed(api, cursor);
  const failures = [...looks, ...objectionsToOrder(events, before.length + 1), ...record.judge(caller.entries, events)];
  for (const own of apis) own[Symbol.dispose]();
  const counts = countsOf(caller.entries);
  const owners = events.filter(({ type }) => type === 'owner.transferred').length;
  const whole = caller.entries.filter(({ act }) => act === wholeTeam).length;
  return {
    tried: acts + transfers,
    measured: `${services} processes, ${record.count()} events, ${owners} owners, ${whole} looks at all; ${[...counts].map(([kind, count]) => `${count} × ${kind}`).join(', ')}`,
    failures: failures.slice(0, 20),
    notShown: missing(caller.entries),
  };
}

/** A project with an Owner and so many seats; a key for it. */
async function aTeam(at: Installation): Promise<string> {
  await at.json(['migrate']);
  await at.json(['projects', 'create', 'acme', '--id', 'acme', '--owner', emails[0] ?? '']);
  await at.json(['projects', 'update', 'acme', '--seats', `${seats}`]);
  const args = ['keys', 'create', '--project', 'acme', '--name', 'k', '--scope', 'all'];
  return (await at.json<{ token: string }>(args)).token;
}

/** What has to hold at every moment, whatever the model says. */
function objectionsToLook({ act, told }: Entry): string[] {
  const data = told?.data as { members?: Member[]; used: number; max: number };
  if (act.kind === 'seats' && (data.used > seats || data.max !== seats))
    return [`the seats are ${JSON.stringify(told)}`];
  if (act !== wholeTeam) return [];
  const all = data.members ?? [];
  const isRight = all.filter(isOwner).length === 1 && isOwner(all[0] ?? { roles: [] }) && all.length <= seats;
  return isRight ? [] : [`the members are ${JSON.stringify(told)}`];
}

function countsOf(entries: readonly Entry[]): Map<string, number> {
  const kinds = entries.map(({ act, told }) => `${act.kind} ${told?.code ?? told?.status}`).toSorted();
  return new Map([...Map.groupBy(kinds, (kind) => kind)].map(([kind, all]) => [kind, all.length] as const));
}

const expected =
  'invite 201, invite conflict, invite seats_exhausted, reinvite 200, reinvite conflict, reinvite not_found, ' +
  'accept 200, accept not_found, change 200, change not_found, change owner_protected, remove 200, remove not_found, ' +
  'remove owner_protected, transfer 200, transfer refused, list 200, seats 200, show 200, show not_found';

/** What no act came to: nothing is right by default. */
function missing(entries: readonly Entry[]): string[] {
  const counts = countsOf(entries);
  const kinds = expected.split(', ').filter((kind) => !counts.has(kind));
  return kinds.map((kind) => `there was no ${kind}`);
}

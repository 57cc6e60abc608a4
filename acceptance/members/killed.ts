import { headerOf, type Api } from '../parts/api.ts';
import { type Event, readFeed } from '../writes/feed.ts';
import { answered } from '../writes/ledger.ts';
import type { Random } from '../writes/slot.ts';
import { anAct, type Known, readReply, requestOf, wholeTeam } from './acts.ts';
import { openCaller, presentTeam } from './caller.ts';
import { type Entry, openRecord } from './record.ts';
import { outcomeOf } from './team.ts';

const emails = Array.from({ length: 18 }, (_, number) => `p${number}@example.com`);

/** Writes about the members of a project by a service that is killed, and what has to be stored then. */
export async function openKilledTeam(first: Api) {
  const team = await presentTeam(first);
  const record = openRecord(team);
  const known: Known = { emails, ids: team.members.map(({ id }) => id), tokens: [] };
  const caller = openCaller(known);
  const totals = { acknowledged: 0, unacknowledged: 0, stored: 0 };
  let { cursor } = await readFeed(first);
  let keys = 0;

  const audit = async (api: Api): Promise<string[]> => {
    const page = await readFeed(api, cursor);
    cursor = page.cursor;
    await caller.ask(api, wholeTeam);
    await caller.ask(api, { kind: 'seats' });
    return record.judge(caller.entries.splice(0), page.events);
  };
  /** What was stored is told again, and nothing else is done. */
  const objectionToRepeat = async (api: Api, { act, idempotencyKey }: Entry, event: Event): Promise<string[]> => {
    if (act.kind === 'transfer') return [];
    const reply = await answered(api, { ...requestOf(act), idempotencyKey });
    const id = event.member_id ?? '';
    const { told } = outcomeOf(record.team(), { kind: 'show', id }, { id, token: '' });
    const right = act.kind === 'invite' ? { status: 201, data: told.data ?? null } : { status: 200, data: {} };
    const isRight = JSON.stringify(readReply(reply).told) === JSON.stringify(right);
    if (isRight && headerOf(reply, 'idempotent-replayed') === 'true') return [];
    return [`the repeat of ${JSON.stringify(act)} gives ${reply.body} and not ${JSON.stringify(right)}`];
  };
  return {
    totals,
    /** Answers since the last audit. */
    answered: () => caller.entries.filter(({ told }) => told).length,
    /** Until the connection ends. */
    write: async (api: Api, random: Random): Promise<void> => {
      for (;;) {
        const act = anAct(known, random);
        const isKeyed = act.kind === 'invite' || act.kind === 'reinvite';
        await caller.ask(api, act, isKeyed ? `mk-${++keys}` : undefined);
      }
    },
    /** What is stored after a kill; then what was not answered is sent again. */
    audit: async (api: Api): Promise<string[]> => {
      const done = [...caller.entries];
      const wrong = await audit(api);
      for (const entry of done) {
        const event = record.eventOf(entry.requestId);
        totals[entry.told ? 'acknowledged' : 'unacknowledged']++;
        if (entry.told) continue;
        if (event) totals.stored++;
        if (event && entry.idempotencyKey !== undefined) wrong.push(...(await objectionToRepeat(api, entry, event)));
        else if (entry.act.kind !== 'transfer') await caller.ask(api, entry.act, entry.idempotencyKey);
      }
      return [...wrong, ...(await audit(api))];
    },
  };
}

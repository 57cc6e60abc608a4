import { setTimeout as pause } from 'node:timers/promises';

import type { seededRandom } from '../../test/support/random.ts';
import type { Tenant } from '../writes/tenant.ts';
import type { Roster } from './rosters.ts';
import { type Ack, newRound, openAsker, type Round, toldIn } from './round.ts';
import { contacts, restMs, writeOn } from './writer.ts';

export interface Callers {
  /** All acknowledgements so far, oldest first. */
  acks: readonly Ack[];
  /** Waits until each Roster has acknowledged so many more writes. */
  more(count: number): Promise<void>;
  /** Returns what happened since the last call. */
  round(): Round;
  stop(): Promise<void>;
}

const writersOfProject = 2;
const readers = 3;
const patienceMs = 120_000;

/** Starts writers, and readers who ask one Roster for what the other has acknowledged. */
export function startCallers(
  tenants: readonly Tenant[],
  rosters: readonly Roster[],
  random: ReturnType<typeof seededRandom>,
): Callers {
  const acks: Ack[] = [];
  const latest = new Map<number, Ack>();
  const stopping = new AbortController();
  let round = newRound();
  const onAnswer = (what: string) => void round.told.set(what, (round.told.get(what) ?? 0) + 1);
  const onAck = (ack: Ack) => {
    acks.push(ack);
    round.acks.push(ack);
    latest.set(ack.writer, ack);
  };
  const listening = {
    onAck,
    onAnswer,
    onUnexpected: (what: string) => void round.unexpected.push(what),
    signal: stopping.signal,
  };
  const write = (tenant: Tenant, index: number) => writeOn(index, tenant, rosters, listening);
  const read = async () => {
    const askers = new Map(tenants.map(({ project, token }) => [project, openAsker(token, onAnswer)]));
    for (; !stopping.signal.aborted; await pause(restMs)) {
      const known = random.pick([...latest.values()]);
      const other = rosters.find((one) => one !== known?.by);
      if (!known || !other) continue;
      const path = `${contacts}/${known.contactId}`;
      const reply = await askers.get(known.project)?.(other, { method: 'GET', path });
      if (!reply || reply.status === 503) continue;
      if (reply.status === 200 && isAsNew(reply.body, known)) continue;
      round.stale.push(`${other.name}: ${reply.status} ${reply.body} after ${known.requestId} by the other`);
    }
  };
  const writing = tenants.flatMap((tenant, index) =>
    Array.from({ length: writersOfProject }, async (_, own) => write(tenant, index * writersOfProject + own)),
  );
  const running = [...writing, ...Array.from({ length: readers }, read)];
  return {
    acks,
    more: async (count) => {
      const since = acks.length;
      const deadline = performance.now() + patienceMs;
      const countOf = (roster: Roster) => acks.slice(since).filter(({ by }) => by === roster).length;
      while (rosters.some((roster) => countOf(roster) < count)) {
        if (performance.now() > deadline)
          throw new Error(
            `too few writes were acknowledged: ${rosters.map((roster) => `${countOf(roster)} ${roster.name}`).join(', ')} in ${patienceMs} ms; callers were told ${toldIn(round)}`,
          );
        await pause(100);
      }
    },
    round: () => {
      const done = { ...round, to: performance.now() };
      round = newRound();
      return done;
    },
    stop: async () => {
      stopping.abort();
      await Promise.all(running);
    },
  };
}

function isAsNew(body: string, { name, count }: Ack): boolean {
  const { data } = JSON.parse(body) as { data: { name: string | null; company: string | null } };
  return name === '' ? Number(data.company) >= count : data.name === name;
}

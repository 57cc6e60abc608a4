import type { Installation } from '../installation.ts';
import type { Api } from '../parts/api.ts';
import { answered } from '../writes/ledger.ts';
import { comparable, type Known, readReply, requestOf } from './acts.ts';
import type { Entry } from './record.ts';
import type { Act, Question, Team } from './team.ts';

/** Does acts, and notes each before it is done. */
export interface Caller {
  entries: Entry[];
  /** Rejects where the connection ends without the answer; the act stays noted. */
  ask(api: Api, act: Question, idempotencyKey?: string): Promise<Entry>;
  /** Hands the ownership over, by command. */
  transfer(at: Installation, email: string): Promise<Entry>;
}

export function openCaller(known: Known): Caller {
  const entries: Entry[] = [];
  let clock = 0;
  let made = 0;
  const note = (act: Act, idempotencyKey?: string): Entry => {
    const requestId = `m-${++made}`;
    const entry = { requestId, act, idempotencyKey, sent: ++clock, received: Infinity, made: { id: '', token: '' } };
    entries.push(entry);
    return entry;
  };
  return {
    entries,
    ask: async (api, act, idempotencyKey) => {
      const entry = note(act, idempotencyKey);
      const reply = await answered(api, { ...requestOf(act), idempotencyKey, requestId: entry.requestId });
      Object.assign(entry, readReply(reply), { received: ++clock });
      if (act.kind === 'invite' && entry.made.id !== '') known.ids.push(entry.made.id);
      if (entry.made.token !== '') known.tokens.push(entry.made.token);
      return entry;
    },
    transfer: async (at, email) => {
      const entry = note({ kind: 'transfer', email });
      const { code, stdout, stderr } = await at.run([
        'members',
        'transfer',
        '--project',
        'acme',
        '--to',
        email,
        '--json',
      ]);
      if (code !== 0 && code !== 1) throw new Error(`the hand-over ended with ${code}: ${stderr}`);
      const told =
        code === 0 ? { status: 200, data: comparable(JSON.parse(stdout)) } : { status: 409, code: 'refused' };
      // Whom others meet next.
      if (told.data) known.ids.push((told.data as { id: string }).id);
      return Object.assign(entry, { told, received: ++clock });
    },
  };
}

/** The team of a project whose members have no living links. */
export async function presentTeam(api: Api): Promise<Team> {
  const { members } = await api.data<{ members: Team['members'] }>({
    method: 'GET',
    path: '/v2/members?per_page=100&include=id',
  });
  const { max } = await api.data<{ max: number }>({ method: 'GET', path: '/v2/usage/user-seats' });
  return { members, seats: max, links: new Map() };
}

import { type Api, type Asked, codeOf, openApi } from '../parts/api.ts';
import type { Reply } from '../parts/caller.ts';
import type { Roster } from './rosters.ts';

/** A write that was answered with success. */
export interface Ack {
  project: string;
  writer: number;
  requestId: string;
  contactId: string;
  /** Unique to the contact; '' for a change. */
  name: string;
  /** The company, which counts a writer's changes of its own contact; 0 for a creation. */
  count: number;
  /** The Roster that acknowledged it, and when, by `performance.now()`. */
  by: Roster;
  at: number;
}

/** What the callers saw since the last round. */
export interface Round {
  from: number;
  to: number;
  acks: Ack[];
  /** How often each answer came. */
  told: Map<string, number>;
  /** Answers older than an acknowledged write, a sentence each. */
  stale: string[];
  /** Answers that Roster may never give. */
  unexpected: string[];
}

export function newRound(): Round {
  const now = performance.now();
  return { from: now, to: now, acks: [], told: new Map(), stale: [], unexpected: [] };
}

export function toldIn({ told }: Round): string {
  const counts = [...told].map(([what, count]) => `${what} × ${count}`);
  return counts.toSorted().join(', ');
}

/** Asks each Roster on its own connection, and opens it again after a cut. Returns undefined without an answer. */
export function openAsker(token: string, tell: (what: string) => void) {
  const apis = new Map<Roster, Api>();
  return async (roster: Roster, asked: Asked): Promise<Reply | undefined> => {
    const kind = asked.method === 'GET' ? 'read' : 'write';
    try {
      const api = apis.get(roster) ?? (await openApi(roster.port, token, 1));
      apis.set(roster, api);
      const reply = await api.ask(asked);
      tell(`${kind} ${reply.status}${reply.status < 300 ? '' : ` ${codeOf(reply)}`}`);
      return reply;
    } catch {
      apis.get(roster)?.[Symbol.dispose]();
      apis.delete(roster);
      tell(`${kind} cut`);
      return undefined;
    }
  };
}

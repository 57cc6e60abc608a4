import { openApi } from '../parts/api.ts';
import { type Event, objectionsToOrder, readFeed } from '../writes/feed.ts';
import { type Follower, objectionsToFollower } from '../writes/follower.ts';
import { sharedChatbot, type Tenant } from '../writes/tenant.ts';
import type { Roster } from './rosters.ts';
import type { Ack } from './round.ts';

/** Returns a sentence for each fault in what is stored. */
export interface Findings {
  lost: string[];
  doubled: string[];
  /** Gaps and wrong orders. */
  gaps: string[];
}

/** Compares acknowledged writes and followers' events with the feed and an export. Reports each finding once. */
export function openLedger(followers: ReadonlyMap<Tenant, readonly Follower[]>, rosters: readonly Roster[]) {
  const feeds = new Map<string, { events: Event[]; cursor: string }>();
  const told = new Set<string>();
  const fresh = (found: readonly string[]): string[] => found.filter((one) => !told.has(one) && told.add(one));

  const check = async (acks: readonly Ack[]): Promise<Findings> => {
    const found: Findings = { lost: [], doubled: [], gaps: [] };
    for (const [index, [tenant, following]] of [...followers].entries()) {
      const own = acks.filter(({ project }) => project === tenant.project);
      const roster = rosters[index % rosters.length];
      if (!roster) continue;
      const events = await eventsOf(tenant, roster);
      for (const follower of following) {
        await follower.until(events.at(-1)?.sequence ?? '0');
        found.gaps.push(...objectionsToFollower(follower.events.slice(0, events.length), events));
      }
      const stored = await storedNames(tenant, roster);
      const names = new Set(stored);
      const numbers = new Map(events.map((event) => [event.request_id, Number(event.sequence)]));
      for (const { requestId, contactId, name } of own) {
        if (!numbers.has(requestId)) found.lost.push(`${requestId} (${contactId}) was acknowledged and has no event`);
        if (name !== '' && !names.has(name))
          found.lost.push(`${name} (${contactId}) was acknowledged and is not stored`);
      }
      found.doubled.push(...twice(events.map(({ request_id: id }) => id ?? '')), ...twice(stored));
      found.gaps.push(...objectionsToOrder(events).map((one) => `${tenant.project}: ${one}`));
      for (const [writer, done] of Map.groupBy(own, (ack) => ack.writer)) {
        const order = done.map(({ requestId }) => numbers.get(requestId) ?? 0);
        const odd = order.findIndex((number, at) => number <= (order[at - 1] ?? 0));
        if (odd !== -1)
          found.gaps.push(`writer ${writer}: ${done[odd]?.requestId} has the number ${order[odd]}, after a later one`);
      }
    }
    return { lost: fresh(found.lost), doubled: fresh(found.doubled), gaps: fresh(found.gaps) };
  };

  /** Returns all events of the feed; reads only those since the last call. */
  const eventsOf = async ({ project, token }: Tenant, roster: Roster): Promise<Event[]> => {
    using api = await openApi(roster.port, token, 1);
    const before = feeds.get(project) ?? { events: [], cursor: '*' };
    const { events, cursor } = await readFeed(api, before.cursor);
    const now = { events: [...before.events, ...events], cursor };
    feeds.set(project, now);
    return now.events;
  };
  return { check };
}

async function storedNames({ project }: Tenant, roster: Roster): Promise<string[]> {
  const args = ['contacts', 'export', '--project', project, '--chatbot', sharedChatbot, '--format', 'ndjson'];
  const lines = (await roster.run(args)).split('\n').filter((line) => line !== '');
  return lines.map((line) => (JSON.parse(line) as { name: string }).name);
}

function twice(names: readonly string[]): string[] {
  const counts = Map.groupBy(names, (name) => name);
  return [...counts]
    .filter(([name, { length }]) => name !== '' && length > 1)
    .map(([name]) => `${name} is there twice`);
}

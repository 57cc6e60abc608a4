import { AppError } from '../errors.ts';
import type { Event } from '../events/event.ts';
import type { listEvents } from '../events/feed.ts';
import { actorTypes } from '../events/filter.ts';
import type { Store } from '../store.ts';
import {
  addSeconds,
  day,
  formatTimestamp,
  parseDuration,
  parseTimestamp,
  type Timestamp,
} from '../values/timestamp.ts';
import { UsageError } from './failures.ts';
import { option } from './parts.ts';

type Filter = Pick<
  Parameters<typeof listEvents.run>[2],
  'actor_id' | 'actor_type' | 'member_id' | 'occurred_after' | 'occurred_before'
>;

export interface WhoAndWhen {
  since?: string;
  until?: string;
  actor?: string;
  member?: string;
}

export const whoAndWhen = [
  option('--since <time>', 'from then on: a time, a date, today, yesterday (UTC), or a span such as 2d'),
  option('--until <time>', 'before then, said like --since'),
  option(
    '--actor <actor>',
    'by a member (e-mail or id), a key (id), cli, cli:USER, or all of key, member, operator, job',
  ),
  option('--member <member>', 'about a member, by e-mail or id'),
];

/** Throws UsageError for what is no time, and `not_found` for an address that no member has. */
export async function filterOf(
  store: Pick<Store, 'members'>,
  projectId: string,
  { since, until, actor, member }: WhoAndWhen,
): Promise<Filter> {
  const type = actorTypes.find((one) => one === actor?.trim().toLowerCase());
  return {
    ...(since !== undefined && { occurred_after: timeOf('--since', since) }),
    ...(until !== undefined && { occurred_before: timeOf('--until', until) }),
    ...(type !== undefined && { actor_type: type }),
    ...(actor !== undefined && type === undefined && { actor_id: await idOf(store, projectId, actor) }),
    ...(member !== undefined && { member_id: await idOf(store, projectId, member) }),
  };
}

async function idOf({ members }: Pick<Store, 'members'>, projectId: string, text: string): Promise<string> {
  const named = text.trim();
  if (!named.includes('@') || named.startsWith('cli:')) return named;
  const { members: found } = await members.list(projectId, { email: named }, 1, 0);
  const [member] = found;
  if (!member) throw new AppError('not_found', 'There is no member with this address', { about: 'member' });
  return member.id;
}

export function timeOf(flag: string, text: string, now = new Date()): Timestamp {
  const word = text.trim().toLowerCase();
  const midnight = new Date(Math.floor(now.getTime() / (day * 1_000)) * day * 1_000);
  if (word === 'today') return formatTimestamp(midnight);
  if (word === 'yesterday') return formatTimestamp(addSeconds(midnight, -day));
  const seconds = parseDuration(word);
  const time = seconds === undefined ? parseTimestamp(text.trim()) : formatTimestamp(addSeconds(now, -seconds));
  if (time !== undefined) return time;
  throw new UsageError(
    `${flag} takes a time such as 2026-06-08T13:38:33Z, a date, today, yesterday, or a span such as 2d.`,
  );
}

export function flat({ actor, ...event }: Event) {
  return { ...event, actor_type: actor.type, actor_id: actor.id };
}

export const fileColumns: readonly (keyof ReturnType<typeof flat>)[] = [
  'sequence',
  'occurred_at',
  'type',
  'actor_type',
  'actor_id',
  'chatbot_id',
  'contact_id',
  'contact_ids',
  'member_id',
  'member_ids',
  'key_id',
  'webhook_id',
  'changed',
  'count',
  'receipt_id',
  'request_id',
  'id',
];

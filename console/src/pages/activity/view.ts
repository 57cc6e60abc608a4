import type { Event, ListEventsInput } from '../../types.ts';

type Pattern = NonNullable<ListEventsInput['type']>[number];

/** The kinds of events in each tab, with their patterns. */
export const kinds = {
  changes: {
    contacts: ['Contacts', 'contact.*', 'contacts.*'],
    members: ['Members', 'member.*', 'owner.*'],
    chatbots: ['Chatbots', 'chatbot.*'],
    project: ['Project', 'project.*'],
    webhooks: ['Webhooks', 'webhook.*'],
  },
  security: {
    sessions: ['Sign-ins and sessions', 'session.*'],
    passkeys: ['Passkeys', 'passkey.*'],
    links: ['Sign-in links', 'member.updated'],
    keys: ['Keys', 'key.*'],
  },
} as const satisfies Record<string, Record<string, readonly [label: string, ...patterns: Pattern[]]>>;

/** What the address says: ids and days of the reader, both part of what is shown. */
export interface View {
  tab: keyof typeof kinds;
  /** The id of a member or a key; `cli` and `jobs`. */
  by: string;
  kind: string;
  chatbot: string;
  from: string;
  until: string;
}

const day = /^\d{4}-\d{2}-\d{2}$/;

export function viewIn(query: Readonly<Record<string, string | undefined>>): View {
  const { tab, by = '', kind = '', chatbot = '', from = '', until = '' } = query;
  const [first, last] = [from, until].map((one) => (day.test(one) ? one : ''));
  return { tab: tab === 'security' ? tab : 'changes', by, kind, chatbot, from: first ?? '', until: last ?? '' };
}

export function addressOf(view: View): string {
  const given = Object.entries(view).filter(
    ([name, value]) => value !== '' && !(name === 'tab' && value === 'changes'),
  );
  const query = new URLSearchParams(given as [string, string][]).toString();
  return query === '' ? '/console/activity' : `/console/activity?${query}`;
}

/** The same for the API. */
export function filterOf({ tab, by, kind, chatbot, from, until }: View): ListEventsInput {
  const all: Partial<Record<string, readonly string[]>> = kinds[tab];
  const patterns = [all[kind] ?? Object.values(all).flatMap((one) => one?.slice(1) ?? [])].flat();
  return {
    type: patterns.filter((one) => one.includes('.')) as Pattern[],
    ...(by === 'jobs' ? { actor_type: 'job' } : by !== '' && { actor_id: by }),
    ...(chatbot !== '' && { chatbot_id: chatbot }),
    ...(from !== '' && { occurred_after: startOf(from).toISOString() }),
    ...(until !== '' && { occurred_before: startOf(until, 1).toISOString() }),
  };
}

/** Links and proofs of who it is have no type of their own. */
export function isOfTab({ type, changed }: Event, { tab }: View): boolean {
  const isSecurity = ['sign_in_link', 'sessions', 'passkeys'].includes(changed?.join() ?? '');
  return type !== 'member.updated' || isSecurity === (tab === 'security');
}

function startOf(date: string, later = 0): Date {
  const [year = 0, month = 1, number = 1] = date.split('-').map(Number);
  return new Date(year, month - 1, number + later);
}

/** A day of the reader, so many days ago. */
export function dayAgo(days: number): string {
  const now = new Date();
  const then = new Date(now.getFullYear(), now.getMonth(), now.getDate() - days);
  const digits = [then.getFullYear(), then.getMonth() + 1, then.getDate()];
  return digits.map((one) => String(one).padStart(2, '0')).join('-');
}

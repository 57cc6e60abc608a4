import type { Scope } from '../../src/rights.ts';

/** The kind of content of a column. */
export const classes = {
  person: 'describes a contact: a value, a word or a digest of one, from which a short value can be guessed',
  member: 'describes somebody who works on the project',
  secret: 'a secret, the hash or the end of one, or what proves who a member is',
  identifier: 'an id, number or place that Roster or the caller gave; it tells nothing without the row that it names',
  state: 'a time, count, kind or state, and names of fields',
  setting: 'what somebody called or set; it may hold a name if somebody wrote one there',
} as const;

/** A row goes with its owner: contacts with their chatbot, everything with the project. */
const kept = {
  contact: 'until the contact is deleted',
  purge: 'until the contact is deleted for good',
  index: 'until the contact is deleted for good, and `merge-index` has run',
  bin: 'for `ROSTER_BIN_DAYS` from the deletion',
  undo: 'for `ROSTER_BIN_DAYS` from the merge',
  merged: 'until it or the one that stays is deleted for good',
  chatbot: 'until the chatbot is deleted',
  member: 'until the member is removed',
  invitation: 'until it is accepted, renewed or withdrawn',
  session: 'until it ends, and the next sign-in of the project',
  link: 'until it is used or renewed; it works for 30 minutes at most',
  passkey: 'until it or the member is removed',
  events: 'for `ROSTER_EVENT_DAYS`',
  webhook: 'until the webhook is deleted',
  delivery: 'for the last 1,000 attempts of a webhook, failed ones for 30 days',
  hours: 'for 24 hours',
  project: 'until the project is deleted',
  database: 'as long as the database',
} as const;

/** The readers by HTTP, by MCP and on the page. `administration` is Owner and Admin, `self` the member alone. */
export type Reader = Scope | 'administration' | 'self' | 'nobody';

export interface Part {
  holds: keyof typeof classes;
  columns: readonly string[];
  kept: string;
  readBy: Reader;
  /** Missing means that both engines have it. */
  engine?: 'sqlite' | 'postgres';
}

export interface Table {
  name: string;
  parts: readonly Part[];
}

export function of(
  holds: Part['holds'],
  columns: string,
  until: keyof typeof kept,
  readBy: Reader = 'nobody',
  engine?: Part['engine'],
): Part {
  return { holds, columns: columns.split(' '), kept: kept[until], readBy, ...(engine && { engine }) };
}

export function table(name: string, ...parts: Part[]): Table {
  return { name, parts };
}

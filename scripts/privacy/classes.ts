import type { Scope } from '../../src/rights.ts';

/** The kind of content of a column. */
export const classes = {
  person: 'a value of a contact, or a word or digest of one, from which a short value can be guessed',
  member: 'about somebody who works on the project',
  secret: 'a secret, its hash or end, or what proves who a member is',
  identifier: 'an id, number or place; it tells nothing without the row that it names',
  state: 'a time, count, kind or state, and names of fields',
  setting: 'what somebody called or set; it may hold a name',
} as const;

/** A row goes with its owner: contacts with their chatbot, everything with the project. */
const kept = {
  contact: 'Until the contact is deleted',
  purge: 'Until the contact is deleted for good',
  index: 'Until the contact is deleted for good, and `merge-index` has run',
  bin: 'For `ROSTER_BIN_DAYS` from the deletion',
  undo: 'For `ROSTER_BIN_DAYS` from the merge',
  merged: 'Until the merged contact or the one that stays is deleted for good',
  chatbot: 'Until the chatbot is deleted',
  member: 'Until the member is removed',
  invitation: 'Until the invitation is accepted, renewed or withdrawn',
  session: 'Until the session ends, and the next sign-in of the project',
  link: 'Until the link is used or renewed; it works for 30 minutes at most',
  passkey: 'Until the passkey or the member is removed',
  events: 'For `ROSTER_EVENT_DAYS`',
  webhook: 'Until the webhook is deleted',
  delivery: 'For the last 1,000 attempts of a webhook, failed ones for 30 days',
  hours: 'For 24 hours',
  project: 'Until the project is deleted',
  database: 'As long as the database',
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

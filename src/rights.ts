export const scopes = [
  'members:read',
  'members:write',
  'contacts:read',
  'contacts:write',
  'chatbots:read',
  'chatbots:write',
  'project:read',
  'project:write',
  'events:read',
  'webhooks:read',
  'webhooks:write',
] as const;
export type Scope = (typeof scopes)[number];

export type Right = Scope | 'contacts:export' | 'administration' | 'ownership';

/** What an operation needs. `any-key`: a valid key; `invitation`: its token and no key; null: not for callers. */
export type RequiredScope = Right | 'any-key' | 'invitation' | null;

/** Scopes of a key created without any. New scopes are not added, so such keys never gain rights. */
export const defaultScopes: readonly Scope[] = ['members:read', 'contacts:read', 'chatbots:read', 'project:read'];

export interface Maker {
  readonly type: 'key' | 'member' | 'operator' | 'job';
  /** The key's or the member's id, the name of the job, or `cli:USER`; `cli` where no user is known. Never null. */
  readonly id: string;
}

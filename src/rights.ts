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

/** Right that an operation needs. `any-key` needs none, `invitation` its token and no key; null is for no caller. */
export type RequiredScope = Right | 'any-key' | 'invitation' | null;

/** The scopes of a key that is made without any. The list stays as it is when scopes are added. */
export const defaultScopes: readonly Scope[] = ['members:read', 'contacts:read', 'chatbots:read', 'project:read'];

/** Who did something: an actor without its rights. */
export interface Maker {
  readonly type: 'key' | 'member' | 'operator' | 'job';
  /** The key's or the member's id, the name of the job, or `cli:USER`; `cli` where no user is known. Never null. */
  readonly id: string;
}

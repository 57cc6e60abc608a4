import type { Role, StoredMember } from '../members/member.ts';
import { type Right, scopes } from '../rights.ts';
import { newId } from '../values/identifier.ts';
import { addSeconds, day, formatTimestamp, hour, type Timestamp } from '../values/timestamp.ts';

export type SignInMethod = 'link' | 'passkey' | 'invitation';

export interface Session {
  id: string;
  project_id: string;
  member_id: string;
  method: SignInMethod;
  /** The member's roles when the session began. If the member loses one, the session ends. */
  roles: Role[];
  user_agent: string | null;
  created_at: Timestamp;
  /** Written at most every five minutes. */
  last_used_at: Timestamp;
  verified_at: Timestamp;
  /** From this second on the session is refused, however much it is used. */
  expires_at: Timestamp;
}

const idleSeconds = 12 * hour;
const lifetimeSeconds = 30 * day;
const freshSeconds = 5 * 60;
/** Without a passkey only somebody else can give a member a new proof. */
const freshByLinkSeconds = hour;
const firstPasskeySeconds = 12 * hour;
const touchSeconds = 5 * 60;
const userAgentMax = 255;

export function newSession(
  projectId: string,
  member: StoredMember,
  given: { method: SignInMethod; userAgent: string | undefined; verifiedAt?: Timestamp | null },
): Session {
  const now = new Date();
  const at = formatTimestamp(now);
  return {
    id: newId(),
    project_id: projectId,
    member_id: member.id,
    method: given.method,
    roles: member.roles,
    user_agent: given.userAgent?.slice(0, userAgentMax) ?? null,
    created_at: at,
    last_used_at: at,
    verified_at: given.verifiedAt ?? at,
    expires_at: formatTimestamp(addSeconds(now, lifetimeSeconds)),
  };
}

export function sessionsEnded(memberId: string, count: number) {
  return Array.from({ length: count }, () => ({ type: 'session.ended', member_id: memberId }) as const);
}

export function isAlive({ expires_at, last_used_at }: Session, now = new Date()): boolean {
  return expires_at > formatTimestamp(now) && last_used_at > oldestUse(now);
}

export function mayGoOn({ member_id, roles }: Session, member: StoredMember | undefined): member is StoredMember {
  if (member?.id !== member_id || member.status !== 'Active') return false;
  return roles.every((role) => member.roles.includes(role));
}

export function oldestUse(now: Date): Timestamp {
  return formatTimestamp(addSeconds(now, -idleSeconds));
}

export function freshUntil({ method, verified_at }: Session, hasPasskey: boolean, now = new Date()): Timestamp | null {
  const seconds = method === 'passkey' || hasPasskey ? freshSeconds : freshByLinkSeconds;
  return ifAhead(addSeconds(new Date(verified_at), seconds), now);
}

/** Deadline for the first passkey without another proof: 12 hours after the link. Null if the member may not. */
export function firstPasskeyUntil(session: Session, hasPasskey: boolean, now = new Date()): Timestamp | null {
  if (session.method === 'passkey' || hasPasskey) return null;
  // A link for oneself carries the time of one's own proof.
  const since = session.verified_at < session.created_at ? session.verified_at : session.created_at;
  return ifAhead(addSeconds(new Date(since), firstPasskeySeconds), now);
}

function ifAhead(end: Date, now: Date): Timestamp | null {
  const at = formatTimestamp(end);
  return at > formatTimestamp(now) ? at : null;
}

export function isTouchDue({ last_used_at }: Session, now = new Date()): boolean {
  return Date.parse(last_used_at) + touchSeconds * 1_000 <= now.getTime();
}

const everything: readonly Right[] = [...scopes, 'contacts:export', 'administration'];
const rightsOfRole: Readonly<Record<Role, readonly Right[]>> = {
  Owner: [...everything, 'ownership'],
  Admin: everything,
  Editor: ['chatbots:read', 'chatbots:write'],
  Analyst: ['contacts:read', 'contacts:write', 'contacts:export', 'chatbots:read'],
  Agent: ['contacts:read', 'chatbots:read'],
  Billing: ['project:read'],
  Viewer: ['chatbots:read'],
};

export function rightsOf({ roles }: Pick<StoredMember, 'roles'>): Right[] {
  return [...new Set(roles.flatMap((role) => rightsOfRole[role]))];
}

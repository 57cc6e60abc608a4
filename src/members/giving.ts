import { type Actor, covers } from '../actor.ts';
import { isUsable } from '../api-keys/api-key.ts';
import { AppError } from '../errors.ts';
import { type Right, type Scope, scopes } from '../rights.ts';
import { rightsOf } from '../sign-in/session.ts';
import type { UnitOfWork } from '../store.ts';
import type { GivenRole, Role } from './member.ts';

/** The scopes that a key needs besides `members:write` to give a role. */
const scopesToGive: Readonly<Record<GivenRole, readonly Scope[]>> = {
  // Without webhook scopes: keys older than webhooks may still give this role.
  Admin: scopes.filter((scope) => !scope.startsWith('webhooks:')),
  Editor: ['chatbots:write'],
  Analyst: ['contacts:write', 'chatbots:read'],
  Agent: ['contacts:read', 'chatbots:read'],
  Billing: ['project:read'],
  Viewer: ['chatbots:read'],
};

/** Throws `insufficient_scope`, which names the role and the missing scopes. `owner_protected` guards the Owner. */
export function requireMayGive({ scopes: granted }: Actor, given: readonly Role[]): void {
  for (const role of given) {
    const needed = role === 'Owner' ? [] : scopesToGive[role];
    const missing = needed.filter((scope) => !covers(granted, scope)).join(' ');
    if (missing === '') continue;
    const message = `The API key lacks ${missing.replaceAll(' ', ', ')}, so it cannot give the role ${role}`;
    throw new AppError('insufficient_scope', message, { scope: missing });
  }
}

/** Checks under a lock that the actor has not lost a right since the request came. Throws `insufficient_scope`. */
export async function requireStill(
  { members, apiKeys }: UnitOfWork,
  { type, id, projectId, scopes: granted }: Actor,
  right: Right,
): Promise<void> {
  let present: Actor['scopes'] = granted;
  if (type === 'member') present = rightsOf((await members.find(projectId, id)) ?? { roles: [] });
  if (type === 'key') {
    const key = await apiKeys.find(projectId, id);
    present = key && isUsable(key) ? key.scopes : [];
  }
  if (covers(present, right)) return;
  throw new AppError('insufficient_scope', 'The right to do this was taken away just now', { scope: right });
}

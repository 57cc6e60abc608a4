import { type Actor, covers } from '../actor.ts';
import { AppError, requireFound } from '../errors.ts';
import { changed, type NewEvent } from '../events/event.ts';
import { memberIdSchema, requireNotOwner } from '../members/member.ts';
import { lockMember } from '../members/require.ts';
import { read, write } from '../operation.ts';
import { lockProject, requireProject } from '../projects/require.ts';
import { idSchema } from '../values/field.ts';
import { object } from '../values/object-schema.ts';
import { formatTimestamp } from '../values/timestamp.ts';
import { firstPasskeyUntil, freshUntil, rightsOf, type Session, sessionsEnded } from './session.ts';
import type { Passkey } from './store.ts';

export const retrieveSession = read({
  name: 'retrieveSession',
  scope: 'any-key',
  run: async ({ projects, members, contacts, signIn }, actor) => {
    const { projectId, id } = actor;
    const session = requireSession(actor);
    const project = await requireProject(projects, projectId);
    const member = requireFound(await members.find(projectId, id), 'member');
    const hasPasskey = (await signIn.listPasskeys(projectId, id)).length > 0;
    return {
      project: { id: project.id, name: project.name },
      member: { id: member.id, email: member.email, roles: member.roles },
      rights: rightsOf(member),
      session: {
        id: session.id,
        method: session.method,
        expires_at: session.expires_at,
        fresh_until: freshUntil(session, hasPasskey),
        first_passkey_until: firstPasskeyUntil(session, hasPasskey),
      },
      has_passkey: hasPasskey,
      bin_days: await contacts.binDays(),
    };
  },
});

export const listSessions = read({
  name: 'listSessions',
  scope: 'any-key',
  run: async ({ signIn }, actor) => {
    const { id: currentId } = requireSession(actor);
    const sessions = await signIn.listSessions(actor.projectId, actor.id);
    return {
      sessions: sessions.map(({ id, method, created_at, last_used_at, expires_at, user_agent }) => {
        return { id, method, created_at, last_used_at, expires_at, user_agent, is_current: id === currentId };
      }),
    };
  },
});

/** Ends a session of the member who asks, by default the present one, and their link. Throws `not_found`. */
export const endSession = write({
  name: 'endSession',
  scope: 'any-key',
  input: object({}, { optional: { sessionId: idSchema } }),
  run: async ({ projects, signIn }, actor, { sessionId }) => {
    await lockProject(projects, actor.projectId);
    const ended = sessionId ?? requireSession(actor).id;
    requireFound(await signIn.endSession(actor.projectId, actor.id, ended), 'session');
    await signIn.forgetLink(actor.projectId, actor.id);
    return changed(undefined, { type: 'session.ended', member_id: actor.id });
  },
});

/** Ends all sessions and the link of a member, on request the passkeys too. Throws `not_found` and `owner_protected`. */
export const signOutMember = write({
  name: 'signOutMember',
  scope: 'administration',
  input: object({ memberId: memberIdSchema }, { optional: { passkeys: { type: 'boolean' } } }),
  run: async (unit, actor, { memberId, passkeys = false }) => {
    const { signIn } = unit;
    const { projectId } = actor;
    const member = await lockMember(unit, actor, memberId);
    if (!covers(actor.scopes, 'ownership')) requireNotOwner(member);
    const sessions = await signIn.endSessions(projectId, memberId);
    await signIn.forgetLink(projectId, memberId);
    const removed = passkeys ? await signIn.removePasskeys(projectId, memberId) : 0;
    const changes = Array.from({ length: removed }, (): NewEvent => ({ type: 'passkey.removed', member_id: memberId }));
    return { output: { sessions, passkeys: removed }, changes: [...changes, ...sessionsEnded(memberId, sessions)] };
  },
});

/** For a member who has proved again who they are, by a checked passkey. Throws `not_found` for a replay. */
export const renewSession = write({
  name: 'renewSession',
  scope: 'any-key',
  run: async ({ signIn }, actor, { passkey }: { passkey: Passkey }) => {
    const session = requireSession(actor);
    if (passkey.member_id !== actor.id || !(await signIn.usePasskey(passkey))) {
      throw new AppError('not_found', 'This passkey cannot be used', { about: 'passkey' });
    }
    const at = formatTimestamp(new Date());
    await signIn.renewSession(actor.projectId, session.id, at);
    const renewed: Session = { ...session, verified_at: at };
    return changed(renewed, { type: 'member.updated', member_id: actor.id, changed: ['sessions'] });
  },
});

export function requireSession({ session }: Actor): Session {
  if (session) return session;
  throw new Error('only a member who is signed in has a session');
}

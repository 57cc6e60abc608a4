import type { Actor } from '../actor.ts';
import { AppError, requireFound } from '../errors.ts';
import { changed, type NewEvent } from '../events/event.ts';
import { lockMember } from '../members/require.ts';
import { read, write } from '../operation.ts';
import type { UnitOfWork } from '../store.ts';
import { idSchema } from '../values/field.ts';
import { object } from '../values/object-schema.ts';
import { sessionsEnded } from './session.ts';
import { requireSession } from './sessions.ts';
import type { Passkey } from './store.ts';

const passkeysMax = 20;

export const listPasskeys = read({
  name: 'listPasskeys',
  scope: 'any-key',
  run: async ({ signIn }, { projectId, id: memberId }) => {
    const passkeys = await signIn.listPasskeys(projectId, memberId);
    return { passkeys: passkeys.map(passkeyView) };
  },
});

/** Stores a verified passkey; the first ends the other sessions. Throws `conflict`, and `not_found` after a sign-out. */
export const registerPasskey = write({
  name: 'registerPasskey',
  scope: 'any-key',
  run: async (unit, actor, { passkey, isFirst }: { passkey: Passkey; isFirst: boolean }) => {
    const { signIn } = unit;
    const { projectId, id: memberId } = actor;
    const session = requireSession(actor);
    await lockMember(unit, actor, memberId);
    const sessions = await signIn.listSessions(projectId, memberId);
    if (!sessions.some(({ id }) => id === session.id)) {
      throw new AppError('not_found', 'This session has ended', { about: 'session' });
    }
    const held = await signIn.listPasskeys(projectId, memberId);
    if (isFirst && held.length > 0) {
      throw new AppError('conflict', 'Another passkey was added just now', { about: 'passkey' });
    }
    if (held.length >= passkeysMax) {
      throw new AppError('conflict', `A member has at most ${passkeysMax} passkeys`, { about: 'passkey' });
    }
    if (!(await signIn.insertPasskey(passkey))) {
      throw new AppError('conflict', 'This passkey is known already', { about: 'passkey' });
    }
    const ended = isFirst ? await endOthers(unit, actor) : [];
    return changed(passkeyView(passkey), { type: 'passkey.added', member_id: memberId }, ...ended);
  },
});

export const removePasskey = write({
  name: 'removePasskey',
  scope: 'any-key',
  input: object({ passkeyId: idSchema }),
  run: async (unit, actor, { passkeyId }) => {
    const { projectId, id: memberId } = actor;
    await lockMember(unit, actor, memberId);
    requireFound(await unit.signIn.removePasskey(projectId, memberId, passkeyId), 'passkey');
    const ended = await endOthers(unit, actor);
    return changed(undefined, { type: 'passkey.removed', member_id: memberId }, ...ended);
  },
});

/** Ends the member's other sessions and links: somebody else may use them. */
async function endOthers({ signIn }: UnitOfWork, actor: Actor): Promise<NewEvent[]> {
  const ended = await signIn.endSessions(actor.projectId, actor.id, requireSession(actor).id);
  await signIn.forgetLink(actor.projectId, actor.id);
  return sessionsEnded(actor.id, ended);
}

function passkeyView({ id, name, created_at, last_used_at }: Passkey) {
  return { id, name, created_at, last_used_at };
}

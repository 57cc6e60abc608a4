import { AppError } from '../errors.ts';
import { changed } from '../events.ts';
import { read, write } from '../operation.ts';
import { idSchema } from '../values/field.ts';
import type { Passkey } from './passkey.ts';

const passkeysMax = 20;

/** The passkeys of the member who asks. */
export const listPasskeys = read({
  name: 'listPasskeys',
  scope: 'any-key',
  run: async ({ signIn }, { projectId, id: memberId }) => {
    const passkeys = await signIn.listPasskeys(projectId, memberId);
    return { passkeys: passkeys.map(passkeyView) };
  },
});

/** Stores a passkey whose answer was checked. Throws `conflict` for one that is known, or one too many. */
export const registerPasskey = write({
  name: 'registerPasskey',
  scope: 'any-key',
  run: async ({ signIn }, { projectId, id: memberId }, { passkey }: { passkey: Passkey }) => {
    const held = await signIn.listPasskeys(projectId, memberId);
    if (held.length >= passkeysMax) {
      throw new AppError('conflict', `A member has at most ${passkeysMax} passkeys`, { about: 'passkey' });
    }
    if (!(await signIn.insertPasskey(passkey))) {
      throw new AppError('conflict', 'This passkey is known already', { about: 'passkey' });
    }
    return changed(passkeyView(passkey), { type: 'member.updated', member_id: memberId, changed: ['passkeys'] });
  },
});

/** Removes a passkey of the member who asks. Throws `not_found`. */
export const removePasskey = write({
  name: 'removePasskey',
  scope: 'any-key',
  input: { type: 'object', additionalProperties: false, required: ['passkeyId'], properties: { passkeyId: idSchema } },
  run: async ({ signIn }, { projectId, id: memberId }, { passkeyId }: { passkeyId: string }) => {
    if (await signIn.removePasskey(projectId, memberId, passkeyId)) {
      return changed(undefined, { type: 'member.updated', member_id: memberId, changed: ['passkeys'] });
    }
    throw new AppError('not_found', 'There is no passkey with this id', { about: 'passkey' });
  },
});

function passkeyView({ id, name, created_at, last_used_at }: Passkey) {
  return { id, name, created_at, last_used_at };
}

import { AppError } from '../errors.ts';
import { changed } from '../events/event.ts';
import { requireStill } from '../members/giving.ts';
import { write } from '../operation.ts';
import { lockProject } from '../projects/require.ts';
import { type ApiKeyInput, newApiKey, stateOf } from './api-key.ts';
import { generateToken, hashToken, isPossibleToken } from './token.ts';

/** Limits the usable keys of a project: each has its own rate limit. Rotated keys do not count. */
const keysMax = 100;

/** Throws `not_found` (project), `invalid`, `conflict` (token), `keys_exhausted`. */
export const createApiKey = write({
  name: 'createApiKey',
  scope: 'administration',
  run: async (unit, actor, { token = generateToken(), ...input }: ApiKeyInput & { token?: string | undefined }) => {
    const { apiKeys, projects } = unit;
    await lockProject(projects, actor.projectId);
    await requireStill(unit, actor, 'administration');
    if (!isPossibleToken(token)) {
      throw new AppError(
        'invalid',
        'A key has 16 to 256 visible ASCII characters on one line and, if it begins with rst_, a right checksum; look for what was cut off or added',
      );
    }
    const active = (await apiKeys.list(actor.projectId)).filter((key) => stateOf(key) === 'active');
    if (active.length >= keysMax) {
      const message = `The project already has its maximum of ${keysMax} usable keys`;
      throw new AppError('keys_exhausted', message, { about: 'api_key' });
    }
    const key = newApiKey(token, actor, input, new Date());
    if (await apiKeys.insert(key, hashToken(token))) {
      return changed({ key, token }, { type: 'key.created', key_id: key.id });
    }
    throw new AppError('conflict', 'This key is known already', { about: 'api_key' });
  },
});

import { AppError } from '../errors.ts';
import { changed } from '../events.ts';
import { write } from '../operation.ts';
import { requireProject } from '../projects/project.ts';
import { type ApiKeyInput, newApiKey } from './api-key.ts';
import { generateToken, hashToken, isPossibleToken } from './token.ts';

/** Creates a key, with a new token or one taken over. Throws `not_found` (project), `invalid` or `conflict` (token). */
export const createApiKey = write({
  name: 'createApiKey',
  scope: 'administration',
  run: async (
    { apiKeys, projects },
    { projectId },
    { token = generateToken(), ...input }: ApiKeyInput & { token?: string | undefined },
  ) => {
    await requireProject(projects, projectId);
    if (!isPossibleToken(token)) {
      throw new AppError(
        'invalid',
        'A key has 16 to 256 visible ASCII characters on one line and, if it begins with rst_, a right checksum; look for what was cut off or added',
      );
    }
    const key = newApiKey(token, projectId, input, new Date());
    if (await apiKeys.insert(key, hashToken(token))) {
      return changed({ key, token }, { type: 'key.created', key_id: key.id });
    }
    throw new AppError('conflict', 'This key is known already', { about: 'api_key' });
  },
});

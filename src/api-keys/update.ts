import { AppError, requireFound } from '../errors.ts';
import { changed, unchanged } from '../events/event.ts';
import { write } from '../operation.ts';
import { lockProject } from '../projects/require.ts';
import type { Scope } from '../rights.ts';
import { isUsable, scopesInOrder } from './api-key.ts';
import { requireApiKey } from './require.ts';

/** Throws `not_found`, or `conflict` if the key has ended. */
export const updateApiKey = write({
  name: 'updateApiKey',
  scope: 'administration',
  run: async ({ apiKeys, projects }, { projectId }, input: { keyId: string; scopes: readonly Scope[] }) => {
    await lockProject(projects, projectId);
    const key = await requireApiKey(apiKeys, projectId, input.keyId);
    if (!isUsable(key)) throw new AppError('conflict', 'This key has expired or was revoked; create a new one');
    const scopes = scopesInOrder(input.scopes);
    if (scopes.join() === key.scopes.join()) return unchanged(key);
    requireFound(await apiKeys.setScopes(projectId, key.id, scopes), 'api_key');
    return changed({ ...key, scopes }, { type: 'key.updated', key_id: key.id, changed: ['scopes'] });
  },
});

import { changed, unchanged } from '../events/event.ts';
import { write } from '../operation.ts';
import { lockProject } from '../projects/require.ts';
import { idSchema } from '../values/field.ts';
import { object } from '../values/object-schema.ts';
import { formatTimestamp } from '../values/timestamp.ts';
import { requireApiKey } from './require.ts';

/** Revokes a key at once and for good; repeating it changes nothing. Throws `not_found`. */
export const revokeApiKey = write({
  name: 'revokeApiKey',
  scope: 'administration',
  input: object({ keyId: idSchema }),
  run: async ({ apiKeys, projects }, { projectId }, { keyId }) => {
    await lockProject(projects, projectId);
    const isNew = await apiKeys.revoke(projectId, keyId, formatTimestamp(new Date()));
    const key = await requireApiKey(apiKeys, projectId, keyId);
    return isNew ? changed(key, { type: 'key.revoked', key_id: keyId, changed: ['revoked_at'] }) : unchanged(key);
  },
});

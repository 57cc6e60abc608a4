import { AppError } from '../errors.ts';
import { changed } from '../events/event.ts';
import { requireStill } from '../members/giving.ts';
import { write } from '../operation.ts';
import { lockProject } from '../projects/require.ts';
import { idSchema } from '../values/field.ts';
import { object } from '../values/object-schema.ts';
import { requireSpan, spanSchema } from '../values/span.ts';
import { addSeconds, formatTimestamp } from '../values/timestamp.ts';
import { type ApiKey, isUsable, newApiKey } from './api-key.ts';
import { requireApiKey } from './require.ts';
import { generateToken, hashToken } from './token.ts';

/** The old key works for a day, or as long as `overlap` says. Throws `not_found`, or `conflict` if it has ended. */
export const rotateApiKey = write({
  name: 'rotateApiKey',
  scope: 'administration',
  input: object({ keyId: idSchema }, { optional: { overlap: spanSchema } }),
  run: async (unit, actor, { keyId, overlap = '24h' }) => {
    const { apiKeys, projects } = unit;
    const { projectId } = actor;
    await lockProject(projects, projectId);
    await requireStill(unit, actor, 'administration');
    const now = new Date();
    const old = await requireApiKey(apiKeys, projectId, keyId);
    if (old.replaced_by !== null) {
      throw new AppError('conflict', `This key was rotated already; rotate its successor, ${old.replaced_by}`);
    }
    if (!isUsable(old, now)) throw new AppError('conflict', 'This key has expired or was revoked; create a new one');
    const token = generateToken();
    const key = newApiKey(token, actor, { ...old, expiresInSeconds: lifetimeOf(old) }, now);
    const overlapEnd = formatTimestamp(addSeconds(now, requireSpan('overlap', overlap)));
    const expiresAt = old.expires_at !== null && old.expires_at < overlapEnd ? old.expires_at : overlapEnd;
    if (!(await apiKeys.replace(projectId, keyId, key.id, expiresAt))) {
      throw new AppError('conflict', 'This key was rotated just now by somebody else');
    }
    await apiKeys.insert(key, hashToken(token));
    await unit.webhooks.handOn(projectId, keyId, key.id);
    const replaced: ApiKey = { ...old, expires_at: expiresAt, replaced_by: key.id };
    return changed(
      { key, token, replaced },
      { type: 'key.rotated', key_id: keyId, changed: ['expires_at', 'replaced_by'] },
      { type: 'key.created', key_id: key.id },
    );
  },
});

function lifetimeOf({ created_at, expires_at }: ApiKey): number | undefined {
  return expires_at === null ? undefined : (Date.parse(expires_at) - Date.parse(created_at)) / 1000;
}

import type { Role } from '../../members/member.ts';
import { nextRevision } from '../../revision.ts';
import { rightsOf } from '../../sign-in/session.ts';
import type { ChangedKey, ChangedMember, ChangedWebhook } from './gone.ts';

/** The key, cut down to what the present one allows; undefined if nothing is cut. A lost key counts as revoked `at`. */
export function narrowedKey(key: ChangedKey, at: string) {
  const { project_id, id, scopes_now: now, expires_now: end, revoked_now: revoked, replaced_now: replaced_by } = key;
  const allowed = new Set(now?.split(','));
  const left = key.scopes.split(',').filter((scope) => allowed.has(scope));
  const scopes = left.join() || (now ?? key.scopes);
  const isShorter = end !== null && (key.expires_at === null || end < key.expires_at);
  const revoked_at = now === null ? at : revoked;
  const kind = revoked_at !== null ? 'revoked' : replaced_by !== null ? 'rotated' : 'narrowed';
  if (kind === 'narrowed' && !isShorter && scopes === key.scopes) return undefined;
  return {
    kind,
    project_id,
    id,
    scopes,
    expires_at: isShorter ? end : key.expires_at,
    revoked_at,
    replaced_by,
  } as const;
}

const listOf = (roles: string) => roles.split(',') as Role[];

/** The roles that allow no more than the present ones, or else the present ones. A removed member counts as a Viewer. */
export function rolesLeft({ roles, roles_now: now }: ChangedMember): Role[] {
  const allowed = new Set(rightsOf({ roles: listOf(now ?? 'Viewer') }));
  const left = listOf(roles).filter((role) => rightsOf({ roles: [role] }).every((right) => allowed.has(right)));
  return left.length > 0 ? left : listOf(now ?? 'Viewer');
}

/** The webhook as it is to be: it sends what the present one sends, there and signed so, and not at all if that one is disabled. */
export function webhookLeft(webhook: ChangedWebhook) {
  const {
    url_now: url,
    events_now: events,
    payload_now: payload,
    chatbot_ids_now: chatbot_ids,
    secret_now: secret,
  } = webhook;
  const isSame =
    url === webhook.url &&
    events === webhook.events &&
    payload === webhook.payload &&
    chatbot_ids === webhook.chatbot_ids;
  const disabled_reason = webhook.disabled_reason ?? webhook.disabled_now;
  const isRotated = secret !== webhook.secret;
  const isDisabled = disabled_reason !== webhook.disabled_reason;
  return {
    kind: secret === null ? 'deleted' : isDisabled ? 'disabled' : isRotated ? 'rotated' : 'changed',
    url,
    events,
    payload,
    chatbot_ids,
    secret,
    old_secret: webhook.old_secret_now,
    old_secret_until: webhook.old_until_now,
    disabled_reason,
    // A maker may see more than the one for whom it was changed.
    created_by_type: isSame ? webhook.created_by_type : webhook.maker_type_now,
    created_by_id: isSame ? webhook.created_by_id : webhook.maker_now,
    revision: nextRevision(webhook.revision),
  } as const;
}

import { listApiKeys } from '../../api-keys/list.ts';
import { createManagedKey } from '../../api-keys/manage.ts';
import { revokeApiKey } from '../../api-keys/revoke.ts';
import { rotateApiKey } from '../../api-keys/rotate.ts';
import { deleteChatbot } from '../../chatbots/delete.ts';
import { eraseContacts } from '../../contacts/erase.ts';
import { listFieldValues } from '../../contacts/field-values.ts';
import { importContactRows } from '../../contacts/import-rows.ts';
import { listMerges } from '../../contacts/merging/list.ts';
import { recordExport } from '../../contacts/record-export.ts';
import { exportFound } from '../../contacts/search.ts';
import { listActivity } from '../../events/activity.ts';
import { transferOwnershipTo } from '../../members/transfer.ts';
import { listMemberAccess } from '../../sign-in/access.ts';
import { createSignInLink } from '../../sign-in/link.ts';
import { listPasskeys, removePasskey } from '../../sign-in/passkeys.ts';
import { endSession, listSessions, retrieveSession, signOutMember } from '../../sign-in/sessions.ts';
import { createWebhook } from '../../webhooks/create.ts';
import { rotateWebhook } from '../../webhooks/rotate.ts';
import { testWebhook } from '../../webhooks/test.ts';
import { updateWebhook } from '../../webhooks/update.ts';
import { route, type Route, routes as routesOfV2 } from '../routes.ts';
import type { ConsoleRoute } from './gate.ts';

export const base = '/console/api';

const always = () => true;
// Read as the input is: from the first question mark on.
const asksFor = (name: string) => (url: string) =>
  new URLSearchParams(url.slice(url.indexOf('?'))).getAll(name).includes('true');
const isPurge = asksFor('purge');
const isDryRun = asksFor('dry_run');

const own: readonly ConsoleRoute[] = [
  route('GET', `${base}/session`, retrieveSession),
  route('GET', `${base}/sessions`, listSessions),
  route('DELETE', `${base}/sessions/:sessionId`, endSession),
  route('GET', `${base}/members/access`, listMemberAccess),
  route('GET', `${base}/passkeys`, listPasskeys),
  { ...route('DELETE', `${base}/passkeys/:passkeyId`, removePasskey), wantsFresh: always },
  { ...route('POST', `${base}/members/:memberId/sign-in-link`, createSignInLink), wantsFresh: always },
  { ...route('POST', `${base}/members/:memberId/transfer`, transferOwnershipTo), wantsFresh: always },
  { ...route('POST', `${base}/members/:memberId/sign-out`, signOutMember), wantsFresh: always },
  { ...route('DELETE', `${base}/chatbots/:chatbotId`, deleteChatbot), wantsFresh: always },
  route('GET', `${base}/chatbots/:chatbotId/contacts/:contactId/merges`, listMerges),
  route('GET', `${base}/activity`, listActivity),
  route('GET', `${base}/keys`, listApiKeys),
  { ...route('POST', `${base}/keys`, createManagedKey), status: 201, wantsFresh: always },
  { ...route('POST', `${base}/keys/:keyId/rotate`, rotateApiKey), wantsFresh: always },
  route('DELETE', `${base}/keys/:keyId`, revokeApiKey),
  route('POST', `${base}/contacts/values`, listFieldValues),
  route('POST', `${base}/chatbots/:chatbotId/contacts/import`, importContactRows),
  route('POST', `${base}/contacts/export`, exportFound),
  route('POST', `${base}/chatbots/:chatbotId/contacts/exports`, recordExport),
];

const ofKeys = new Set(['/v2/key', '/v2/invitations/accept']);

/** An erasure cannot be undone; a webhook sends out what its maker may read; a successful test enables a webhook. */
const sensitive: ReadonlySet<string> = new Set(
  [eraseContacts, createWebhook, updateWebhook, rotateWebhook, testWebhook].map(({ name }) => name),
);

export const consoleRoutes: readonly ConsoleRoute[] = [
  ...routesOfV2.filter(({ path }) => !ofKeys.has(path)).map(inConsole),
  ...own,
];

function inConsole(one: Route): ConsoleRoute {
  const moved = { ...one, path: one.path.replace('/v2', base), creates: one.creates?.replace('/v2', base) };
  if (one.method === 'DELETE' && one.path.endsWith('/contacts/:contactId')) return { ...moved, wantsFresh: isPurge };
  if (sensitive.has(one.operation.name)) return { ...moved, wantsFresh: always };
  // Giving a role can make a more powerful member, and a removal cannot be undone.
  if (one.operation.scope !== 'members:write') return moved;
  return { ...moved, wantsFresh: one.operation.dryOutput ? (url: string) => !isDryRun(url) : always };
}

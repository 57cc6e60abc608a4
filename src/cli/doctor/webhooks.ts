import type { Database } from '../../database/database.ts';
import { sendsUntil, troubledWebhooks, type TroubledWebhook, webhooksState } from '../../database/upkeep/webhooks.ts';
import { shellWord } from '../../values/shell-word.ts';
import { addSeconds, formatTimestamp } from '../../values/timestamp.ts';
import { counted } from '../output.ts';
import { type Finding, ok, warning } from './checks.ts';

const namedMax = 5;
/** Longer than another process needs to take over. */
const unsentSeconds = 30;

/** Names webhooks by their ids, as a URL may hold a secret. */
export async function webhooksFinding(database: Database): Promise<Finding> {
  const { failing, disabled, oldestEvent } = await webhooksState(database);
  const now = new Date();
  const isUnsent = oldestEvent !== null && oldestEvent < formatTimestamp(addSeconds(now, -unsentSeconds));
  if (isUnsent && (await sendsUntil(database)) < formatTimestamp(now))
    return warning(`events wait since ${oldestEvent}, as only a running service sends them`, 'roster serve');
  if (failing + disabled === 0) return ok('none fails, and Roster has disabled none');
  const troubled = await troubledWebhooks(database, namedMax);
  const numbers = [
    ...(disabled > 0 ? [`${counted(disabled, 'is', 'are')} disabled by Roster`] : []),
    ...(failing > 0 ? [counted(failing, 'fails', 'fail')] : []),
  ];
  const names = troubled.map(({ id, disabled_reason: reason }) => `${id} (${reason ?? 'failing'})`);
  const more = failing + disabled > troubled.length ? ', and more' : '';
  return warning(`${numbers.join(', ')}: ${names.join(', ')}${more}`, nextStep(troubled[0]));
}

function nextStep(webhook: TroubledWebhook | undefined): string {
  const [id, project] = [webhook?.id, webhook?.project_id].map((one) => shellWord(one ?? ''));
  const there = `${id} --project ${project}`;
  if (webhook?.disabled_reason === 'restored') return `roster webhooks update ${there} --state active`;
  return webhook?.disabled_reason === null
    ? `roster webhooks deliveries ${there} --failed`
    : `roster webhooks test ${there}`;
}

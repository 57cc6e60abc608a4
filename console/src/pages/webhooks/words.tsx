import type { Delivery, Webhook } from '../../types.ts';
import { Badge } from '../../ui/badge.tsx';
import { sentence } from '../../ui/field.tsx';
import { Time } from '../../ui/time.tsx';
import { sentences } from '../activity/sentence.tsx';

type Pattern = Webhook['events'][number];

const groups: Partial<Record<Pattern, string>> = {
  'contact.*': 'Contacts: created, changed, deleted, merged',
  'contacts.*': 'Contacts: exported, erased',
  'member.*': 'Members',
  'owner.*': 'Transfer of ownership',
  'chatbot.*': 'Chatbots',
  'project.*': 'Project',
  'key.*': 'Keys',
  'session.*': 'Sign-ins and sessions',
  'passkey.*': 'Passkeys',
  'webhook.*': 'Webhooks',
};

export const isGroup = (one: Pattern) => one.endsWith('.*');

/** Kinds of events, and the single events that are of none of the chosen kinds. */
export const groupChoices = Object.entries(groups) as [Pattern, string][];
export function singleChoices(chosen: readonly Pattern[]): (readonly [Pattern, string])[] {
  const types = Object.keys(sentences).filter((type) => type.includes('.')) as Pattern[];
  const isCovered = (type: string) => chosen.some((one) => type.startsWith(one.slice(0, -1)));
  return types.filter((type) => !isCovered(type)).map((type) => [type, labelOf(type)] as const);
}

/** `contact.created` is `Contact created`. */
export function labelOf(type: string): string {
  return sentence(type.replace('.', ' '));
}

export function eventsOf({ events }: Webhook): string {
  return [...new Set(events.map((one) => groups[one]?.replace(/:.*/, '') ?? labelOf(one)))].join(', ');
}

export function hostOf({ url }: Webhook): string {
  return URL.parse(url)?.host ?? url;
}

export function nameOf(webhook: Webhook): string {
  return webhook.description ?? hostOf(webhook);
}

const failures: Record<NonNullable<Delivery['reason']>, string> = {
  malformed: 'the URL is not allowed',
  scheme: 'the URL must begin with https://',
  user_in_url: 'the URL holds a user or a password',
  unresolved: 'the name of the host was not found',
  forbidden_address: 'the address is not public',
  no_connection: 'no connection to the receiver',
  tls: 'the certificate of the receiver is not valid',
  timeout: 'the receiver did not answer in time',
  closed_early: 'the receiver closed the connection early',
  redirect: 'the receiver answered with a redirect',
  status: 'the receiver refused it',
  event_gone: 'the event is no longer kept',
};

/** What came of an attempt or a test. */
export function answerOf({ status, reason, duration_ms: ms }: Pick<Delivery, 'status' | 'reason' | 'duration_ms'>) {
  if (reason !== null && reason !== 'status') return failures[reason];
  return `the receiver answered ${status} in ${ms} ms`;
}

const disabledBecause: Record<NonNullable<Webhook['disabled_reason']>, string> = {
  requested: 'somebody disabled it',
  gone: 'the receiver answered that it is gone (410)',
  failing: 'it failed for five days',
  maker_ended: 'its maker left, or lost the right',
  restored: 'a backup was restored',
};

export function State({ webhook: { state, failing_since: since, disabled_reason: reason } }: { webhook: Webhook }) {
  if (state === 'active') return <Badge tone="good">Working</Badge>;
  const isOff = state === 'disabled';
  return (
    <span class="row tight">
      <Badge tone={isOff ? 'plain' : 'warn'}>{isOff ? 'Disabled' : 'Failing'}</Badge>
      <span class="soft small">
        {isOff && reason !== null && `because ${disabledBecause[reason]}`}
        {!isOff && since !== null && (
          <>
            since <Time value={since} />
          </>
        )}
      </span>
    </span>
  );
}

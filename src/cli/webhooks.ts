import { createWebhook } from '../webhooks/create.ts';
import { deleteWebhook } from '../webhooks/delete.ts';
import { listDeliveries } from '../webhooks/deliveries.ts';
import { listWebhooks, retrieveWebhook } from '../webhooks/list.ts';
import { replayWebhook } from '../webhooks/replay.ts';
import { rotateWebhook } from '../webhooks/rotate.ts';
import { testWebhook } from '../webhooks/test.ts';
import { updateWebhook } from '../webhooks/update.ts';
import { timeOf } from './event-filters.ts';
import { UsageError } from './failures.ts';
import { group, repeated } from './parts.ts';
import { inAProject, thing } from './places.ts';
import { plain } from './plain.ts';
import { overlapOption } from './spans.ts';
import { table } from './table.ts';

const theWebhook = thing(inAProject, 'webhookId', '<webhook-id>', 'its id, as "webhooks list" shows it');
const exampleId = '019aaaaa-0000-7000-8000-000000000003';

const takes = (events: string) => ({
  url: 'where to: https, at a public address',
  events: repeated('--event <type>', `${events}: a type of event, or a pattern such as contact.*; may be repeated`),
  chatbot_ids: repeated(
    '--chatbot <id>',
    'only what is about this chatbot or its contacts; may be repeated (default: everything)',
  ),
  payload: 'thin: the event without personal data; full: with the contact or the member as they are then',
  description: 'for people',
});

const secret = ({ id }: { id: string }) => ({
  says: 'The secret is shown only now; the receiver needs it to check signatures.',
  ifLost: `The secret is lost; make another with: roster webhooks rotate ${id}`,
});

const create = plain('create', createWebhook, inAProject, {
  says: 'post events to a URL, signed; its secret is shown only once',
  examples: [
    "roster webhooks create --url https://example.com/hooks/roster --event 'contact.*'",
    'roster webhooks create --url https://example.com/hooks/roster --event contact.created --payload full',
  ],
  more: '"roster events list --help" names the types. A pattern is a noun with all its\ntypes, such as contact.*, contacts.* or member.*.',
  takes: takes('what to send'),
  secret,
});

const list = plain('list', listWebhooks, inAProject, {
  says: 'list webhooks, and how they fare',
  examples: ['roster webhooks list', 'roster webhooks list --project acme --json'],
  takes: { page: 'which page (default: 1)', per_page: 'how many on a page (default: 25)' },
  text: ({ webhooks }) => table(webhooks, ['id', 'state', 'behind', 'last_success_at', 'url', 'events']),
});

const show = plain('show', retrieveWebhook, theWebhook, {
  says: 'show a webhook',
  examples: [`roster webhooks show ${exampleId}`, `roster webhooks show ${exampleId} --json`],
});

const update = plain('update', updateWebhook, theWebhook, {
  says: 'change, enable or disable a webhook; what is not given stays',
  examples: [
    `roster webhooks update ${exampleId} --state active`,
    `roster webhooks update ${exampleId} --url https://example.com/hooks/people`,
  ],
  takes: {
    ...takes('what to send from now on'),
    state: 'active goes on from where it was; disabled sends nothing',
  },
  changes: true,
});

const remove = plain('delete', deleteWebhook, theWebhook, {
  says: 'delete a webhook; nothing more is sent',
  examples: [`roster webhooks delete ${exampleId}`, `roster webhooks delete ${exampleId} --json`],
  result: () => ({ status: 'success' }),
});

const test = plain('test', testWebhook, theWebhook, {
  says: 'send a signed ping now; a success enables the webhook',
  examples: [`roster webhooks test ${exampleId}`, `roster webhooks test ${exampleId} --json`],
  after: ({ delivered }) => {
    if (!delivered) process.exitCode = 1;
  },
});

const rotate = plain('rotate', rotateWebhook, theWebhook, {
  says: 'make a new secret; both sign until the overlap ends',
  examples: [`roster webhooks rotate ${exampleId}`, `roster webhooks rotate ${exampleId} --overlap 7d`],
  more: 'Only the two newest secrets sign: a second rotation ends the oldest at once.',
  takes: { overlap: overlapOption('how long the old secret signs too (default: 24h)') },
  secret,
});

const replay = plain('replay', replayWebhook, theWebhook, {
  says: 'send again what came after a cursor, or since a time',
  examples: [
    `roster webhooks replay ${exampleId} --since 2026-06-08`,
    `roster webhooks replay ${exampleId} --after '*'`,
  ],
  takes: {
    after: ['--after <cursor>', 'a cursor of "events list"; * is all that is kept'],
    since: ['--since <time>', 'a time, a date, today, yesterday (UTC), or a span such as 2d'],
  },
  input: (_, { after, since }) => {
    if ((after === undefined) === (since === undefined)) throw new UsageError('Give --after or --since, one of them.');
    return since === undefined ? {} : { since: timeOf('--since', since) };
  },
});

const deliveries = plain('deliveries', listDeliveries, theWebhook, {
  says: 'list the last attempts, newest first',
  examples: [`roster webhooks deliveries ${exampleId}`, `roster webhooks deliveries ${exampleId} --failed --json`],
  takes: { failed: 'only those that failed', cursor: 'go on after this next_cursor' },
  text: (output) => table(output.deliveries, deliveryColumns),
});

const deliveryColumns = [
  'at',
  'type',
  'outcome',
  'attempt',
  'status',
  'reason',
  'duration_ms',
  'next_attempt_at',
  'event_id',
] as const;

export const webhooksCommand = group(
  'webhooks',
  'post events to other services, and see what became of them',
  ["roster webhooks create --url https://example.com/hooks/roster --event 'contact.*'", 'roster webhooks list'],
  [create, list, show, update, remove, test, rotate, replay, deliveries],
);

import { addSeconds, day, formatTimestamp } from '../values/timestamp.ts';
import type { Delivery, WebhookReads, WebhookWrites } from '../webhooks/store.ts';
import type { Access, Transaction } from './database.ts';
import { type Insertion, raw, sql, type Value } from './sql.ts';

const deliveryColumns = raw(`number, event_id, cast(sequence as text) as sequence, type, attempt, at,
  http_status as status, reason, duration_ms, next_attempt_at, outcome`);

export function deliveryReads(access: Access): Pick<WebhookReads, 'deliveries' | 'retries'> {
  return {
    deliveries: (projectId, webhookId, { before, failed, limit }) => {
      const earlier = before === undefined ? sql`` : sql`and number < ${before}`;
      const onlyFailed = failed ? sql`and outcome <> 'delivered'` : sql``;
      return access.all<Delivery>(
        sql`select ${deliveryColumns} from webhook_deliveries
          where project_id = ${projectId} and webhook_id = ${webhookId} ${earlier} ${onlyFailed}
          order by webhook_deliveries.number desc limit ${limit}`,
      );
    },
    retries: (projectId, webhookId, limit) =>
      access.all<Delivery>(
        sql`select ${deliveryColumns} from webhook_deliveries
          where project_id = ${projectId} and webhook_id = ${webhookId} and outcome = 'retrying'
          order by webhook_deliveries.sequence limit ${limit}`,
      ),
  };
}

const attemptsKept = 1_000;
/** How many failed ones before those: repeated replays would add rows without end. */
const failuresKept = 10_000;
const failuresKeptSeconds = 30 * day;

type Writes = Pick<WebhookWrites, 'endRetries' | 'hurryRetries' | 'noteDeliveries'>;

export function deliveryWrites(connection: Transaction): Writes {
  const forget = async (projectId: string, webhookId: string, last: number, added: number) => {
    const end = last - attemptsKept;
    // Changes of a webhook leave gaps.
    const begin = end - attemptsKept - added;
    const tooOld = formatTimestamp(addSeconds(new Date(), -failuresKeptSeconds));
    await connection.run(
      sql`delete from webhook_deliveries where project_id = ${projectId} and webhook_id = ${webhookId} and (
          (number > ${begin} and number <= ${end} and outcome = 'delivered')
          or number in (
            select number from webhook_deliveries where project_id = ${projectId} and webhook_id = ${webhookId}
              and number <= ${end} and outcome <> 'retrying' order by webhook_deliveries.number limit ${added}
          ) and (at < ${tooOld} or ${attemptsKept + failuresKept} < (
            select count(*) from webhook_deliveries where project_id = ${projectId} and webhook_id = ${webhookId}
          ))
        )`,
    );
  };
  return {
    endRetries: async (projectId, webhookId, after) => {
      await connection.run(
        sql`update webhook_deliveries set outcome = 'failed', next_attempt_at = null
          where project_id = ${projectId} and webhook_id = ${webhookId} and outcome = 'retrying'
            and sequence > ${Number(after)}`,
      );
    },
    hurryRetries: async (projectId, webhookId, at) => {
      await connection.run(
        sql`update webhook_deliveries set next_attempt_at = ${at}
          where project_id = ${projectId} and webhook_id = ${webhookId} and outcome = 'retrying'`,
      );
    },
    noteDeliveries: async (projectId, webhookId, deliveries) => {
      const last = deliveries.at(-1);
      if (!last) return;
      for (const { attempt, event_id } of deliveries) {
        if (attempt === 1) continue;
        await connection.run(
          sql`update webhook_deliveries set outcome = 'failed', next_attempt_at = null
            where project_id = ${projectId} and webhook_id = ${webhookId} and outcome = 'retrying'
              and event_id = ${event_id}`,
        );
      }
      const rows = deliveries.map((delivery) => rowOf(projectId, webhookId, delivery));
      await connection.insertAll(deliveryInsertion, rows);
      await forget(projectId, webhookId, last.number, deliveries.length);
    },
  };
}

const own = 'number event_id sequence type attempt at http_status reason duration_ms next_attempt_at outcome'.split(
  ' ',
);

export const deliveryInsertion: Insertion = {
  into: 'webhook_deliveries',
  columns: ['project_id', 'webhook_id', ...own],
  foundBy: [],
  ending: sql``,
};

function rowOf(projectId: string, webhookId: string, { sequence, status, ...delivery }: Delivery): Value[] {
  const ids = { project_id: projectId, webhook_id: webhookId };
  const values: Record<string, Value> = { ...delivery, ...ids, sequence: Number(sequence), http_status: status };
  return deliveryInsertion.columns.map((column) => values[column] ?? null);
}

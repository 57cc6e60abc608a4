import type { EventPattern } from '../events/patterns.ts';
import type { WebhookReads, WebhookWrites } from '../webhooks/store.ts';
import type { StoredWebhook } from '../webhooks/webhook.ts';
import type { Access, Connection, Transaction } from './database.ts';
import { insertInto, orUpdate, raw, type Sql, sql, type Value } from './sql.ts';
import { deliveryReads, deliveryWrites } from './webhook-deliveries.ts';

type WebhookRow = Omit<StoredWebhook, 'events' | 'chatbot_ids' | 'position' | 'last_event' | 'created_by'> &
  Record<'events' | 'created_by_id', string> &
  Record<'position' | 'last_event', number> & {
    chatbot_ids: string | null;
    created_by_type: StoredWebhook['created_by']['type'];
  };

export const webhookColumns = [
  'project_id id url events chatbot_ids payload description secret old_secret old_secret_until failing_since',
  'disabled_reason last_success_at paused_until retry_at position attempts created_by_type created_by_id',
  'created_at revision',
].flatMap((some) => some.split(' '));

const columns = raw(`${webhookColumns.join(', ')},
  (select last_event from projects where projects.id = project_id) as last_event`);

export function webhookReads(access: Access): WebhookReads {
  return {
    find: (projectId, webhookId) => one(access, sql`${byId(projectId, webhookId)}`),
    page: async (projectId, { limit, offset }) => {
      const rows = await access.all<WebhookRow>(
        sql`select ${columns} from webhooks where project_id = ${projectId}
          order by created_at, id limit ${limit} offset ${offset}`,
      );
      const counted = await access.first<{ total: number }>(
        sql`select cast(count(*) as integer) as total from webhooks where project_id = ${projectId}`,
      );
      return { webhooks: rows.map(toWebhook), total: counted?.total ?? 0 };
    },
    ...deliveryReads(access),
  };
}

function byId(projectId: string, webhookId: string): Sql {
  return sql`select ${columns} from webhooks where project_id = ${projectId} and id = ${webhookId}`;
}

async function one(connection: Connection, query: Sql): Promise<StoredWebhook | undefined> {
  const row = await connection.first<WebhookRow>(query);
  return row && toWebhook(row);
}

function toWebhook(row: WebhookRow): StoredWebhook {
  const { created_by_type: type, created_by_id: id, ...rest } = row;
  return {
    ...rest,
    events: JSON.parse(row.events) as EventPattern[],
    chatbot_ids: row.chatbot_ids === null ? null : (JSON.parse(row.chatbot_ids) as string[]),
    position: BigInt(row.position),
    last_event: BigInt(row.last_event),
    created_by: { type, id },
  };
}

export function webhookWrites(connection: Transaction): WebhookWrites {
  return {
    findForUpdate: (projectId, webhookId) =>
      one(connection, sql`${byId(projectId, webhookId)} ${connection.forUpdate}`),
    insert: async (webhook) => {
      await connection.run(insertInto('webhooks', toRow(webhook)));
      await connection.run(
        sql`update webhooks set position = (select last_event from projects where id = ${webhook.project_id})
          where project_id = ${webhook.project_id} and id = ${webhook.id}`,
      );
    },
    save: async (webhook) => {
      const row = toRow(webhook);
      await connection.run(sql`${insertInto('webhooks', row)} ${orUpdate('project_id, id', Object.keys(row))}`);
    },
    delete: async (projectId, webhookId) => {
      await connection.run(sql`delete from webhooks where project_id = ${projectId} and id = ${webhookId}`);
    },
    ...deliveryWrites(connection),
    handOn: async (projectId, keyId, successorId) => {
      await connection.run(
        sql`update webhooks set created_by_id = ${successorId}
          where project_id = ${projectId} and created_by_type = 'key' and created_by_id = ${keyId}`,
      );
    },
  };
}

function toRow(webhook: StoredWebhook) {
  const { project_id, events, chatbot_ids: chatbotIds, position, created_by: maker } = webhook;
  const values: Record<string, unknown> = {
    ...webhook,
    events: JSON.stringify(events),
    chatbot_ids: chatbotIds && JSON.stringify(chatbotIds),
    position: Number(position),
    created_by_type: maker.type,
    created_by_id: maker.id,
  };
  return { project_id, ...Object.fromEntries(webhookColumns.map((name) => [name, values[name] as Value])) };
}

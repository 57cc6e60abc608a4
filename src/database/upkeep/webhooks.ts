import type { WebhooksState } from '../../upkeep.ts';
import type { Timestamp } from '../../values/timestamp.ts';
import type { DisabledReason } from '../../webhooks/webhook.ts';
import type { Database } from '../database.ts';
import { sql } from '../sql.ts';

export async function webhooksState(database: Database): Promise<WebhooksState> {
  // Retries are of events before the position.
  const found = await database.first<{ failing: number; disabled: number; oldest: Timestamp | null }>(
    sql`select
        cast(count(case when disabled_reason is null and failing_since is not null then 1 end) as integer) as failing,
        cast(count(case when disabled_reason <> 'requested' then 1 end) as integer) as disabled,
        min(case when disabled_reason is null and (position < last_event or retry_at is not null) then (
          select occurred_at from events where events.project_id = webhooks.project_id and events.sequence > coalesce((
            select webhook_deliveries.sequence - 1 from webhook_deliveries
            where webhook_deliveries.project_id = webhooks.project_id and webhook_id = webhooks.id and outcome = 'retrying'
            order by webhook_deliveries.sequence limit 1
          ), position) order by events.sequence limit 1
        ) end) as oldest
      from webhooks join projects on projects.id = webhooks.project_id`,
  );
  return { failing: found?.failing ?? 0, disabled: found?.disabled ?? 0, oldestEvent: found?.oldest ?? null };
}

export interface TroubledWebhook {
  project_id: string;
  id: string;
  disabled_reason: DisabledReason | null;
}

/** The disabled ones first. */
export function troubledWebhooks(database: Database, limit: number): Promise<TroubledWebhook[]> {
  return database.all<TroubledWebhook>(
    sql`select project_id, id, disabled_reason from webhooks
      where disabled_reason <> 'requested' or (disabled_reason is null and failing_since is not null)
      order by disabled_reason is null, project_id, id limit ${limit}`,
  );
}

export async function sendsUntil(database: Database): Promise<Timestamp> {
  const lease = await database.first<{ due_at: Timestamp }>(sql`select due_at from jobs where name = 'send-webhooks'`);
  return lease?.due_at ?? '';
}

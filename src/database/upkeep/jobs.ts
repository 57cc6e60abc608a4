import { type Age, type Aging, type DueJob, type DueWebhook, latestDueAt, type Upkeep } from '../../upkeep.ts';
import type { Database } from '../database.ts';
import { eventMarkingOf } from '../event-marking.ts';
import { contactIndexingOf } from '../search/indexing.ts';
import { type Sql, sql } from '../sql.ts';
import { webhooksState } from './webhooks.ts';

const pageSize = 200;

export function upkeepOf(database: Database): Upkeep {
  return {
    // The lease of the sender is in the table too, and is never due.
    jobs: () => database.all<DueJob>(sql`select name, due_at from jobs where name <> 'send-webhooks' order by name`),
    claim: async (name, now, until) =>
      (await database.run(
        sql`update jobs set due_at = ${until}
          where name = ${name} and (due_at <= ${now} or due_at > ${latestDueAt(now)})`,
      )) === 1,
    release: async (name, until, next) =>
      (await database.run(sql`update jobs set due_at = ${next} where name = ${name} and due_at = ${until}`)) === 1,
    ages: async function* (of) {
      for (let last: Age | undefined; ;) {
        const page = await database.all<Age>(agesAfter[of](last?.project_id ?? '', last?.chatbot_id ?? ''));
        if (page.length > 0) yield page;
        last = page.at(-1);
        if (page.length < pageSize) return;
      }
    },
    projectsToCompare: async () => {
      const rows = await database.all<{ id: string }>(
        sql`select id from projects left join duplicate_progress on project_id = id
          where counted is null or contact_id is not null or counted <> last_event
          order by contact_id is not null, random() limit ${pageSize}`,
      );
      return rows.map(({ id }) => id);
    },
    hasWebhooks: async () =>
      (await database.first(sql`select 1 as found from webhooks where disabled_reason is null limit 1`)) !== undefined,
    dueWebhooks: (now, failingSince) =>
      database.all<DueWebhook>(
        sql`select webhooks.project_id, webhooks.id, attempts, last_event,
            case when retry_at <= ${now} or failing_since <= ${failingSince} then 1 else 0 end as is_time_up
          from webhooks join projects on projects.id = webhooks.project_id
          where disabled_reason is null
            and (position < last_event or retry_at <= ${now} or failing_since <= ${failingSince})
            and (paused_until is null or paused_until <= ${now})`,
      ),
    webhooksState: () => webhooksState(database),
    ...contactIndexingOf(database),
    ...eventMarkingOf(database),
  };
}

const agesAfter: Record<Aging, (projectId: string, chatbotId: string) => Sql> = {
  bin: (...last) => sql`select project_id, chatbot_id, oldest from bin_ages
    where (project_id, chatbot_id) > (${last[0]}, ${last[1]}) order by project_id, chatbot_id limit ${pageSize}`,
  merges: (...last) => sql`select project_id, chatbot_id, oldest from merge_ages
    where (project_id, chatbot_id) > (${last[0]}, ${last[1]}) order by project_id, chatbot_id limit ${pageSize}`,
  events: (last) => sql`select project_id, '' as chatbot_id, oldest_event as oldest from project_ages
    where project_id > ${last} order by project_id limit ${pageSize}`,
  idempotency_keys: (last) => sql`select project_id, '' as chatbot_id, oldest_request as oldest from project_ages
    where project_id > ${last} order by project_id limit ${pageSize}`,
};

import type { BinAge, DueJob, DueWebhook, ProjectAge, Upkeep } from '../../upkeep.ts';
import type { Database } from '../database.ts';
import { eventMarkingOf } from '../event-marking.ts';
import { contactIndexingOf } from '../search/indexing.ts';
import { sql } from '../sql.ts';
import { webhooksState } from './webhooks.ts';

const pageSize = 200;

export function upkeepOf(database: Database): Upkeep {
  return {
    // The lease of the sender is in the table too, and is never due.
    jobs: () => database.all<DueJob>(sql`select name, due_at from jobs where name <> 'send-webhooks' order by name`),
    claim: async (name, now, until) =>
      (await database.run(sql`update jobs set due_at = ${until} where name = ${name} and due_at <= ${now}`)) === 1,
    release: async (name, until, next) =>
      (await database.run(sql`update jobs set due_at = ${next} where name = ${name} and due_at = ${until}`)) === 1,
    bins: () =>
      pages((last?: BinAge) =>
        database.all<BinAge>(
          sql`select project_id, chatbot_id, oldest from bin_ages
            where (project_id, chatbot_id) > (${last?.project_id ?? ''}, ${last?.chatbot_id ?? ''})
            order by project_id, chatbot_id limit ${pageSize}`,
        ),
      ),
    merges: () =>
      pages((last?: BinAge) =>
        database.all<BinAge>(
          sql`select project_id, chatbot_id, oldest from merge_ages
            where (project_id, chatbot_id) > (${last?.project_id ?? ''}, ${last?.chatbot_id ?? ''})
            order by project_id, chatbot_id limit ${pageSize}`,
        ),
      ),
    projects: () =>
      pages((last?: ProjectAge) =>
        database.all<ProjectAge>(
          sql`select project_id, oldest_event, oldest_request from project_ages
            where project_id > ${last?.project_id ?? ''} order by project_id limit ${pageSize}`,
        ),
      ),
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
    dueWebhooks: async (now, failingSince) => {
      type Row = Pick<DueWebhook, 'project_id' | 'id' | 'attempts'> & { last: string; time_is_up: number };
      const rows = await database.all<Row>(
        sql`select webhooks.project_id, webhooks.id, attempts, cast(last_event as text) as last,
            case when retry_at <= ${now} or failing_since <= ${failingSince} then 1 else 0 end as time_is_up
          from webhooks join projects on projects.id = webhooks.project_id
          where disabled_reason is null
            and (position < last_event or retry_at <= ${now} or failing_since <= ${failingSince})
            and (paused_until is null or paused_until <= ${now})`,
      );
      return rows.map(({ project_id, id, attempts, last, time_is_up: up }) => ({
        project_id,
        id,
        attempts,
        last_event: BigInt(last),
        isTimeUp: up === 1,
      }));
    },
    webhooksState: () => webhooksState(database),
    ...contactIndexingOf(database),
    ...eventMarkingOf(database),
  };
}

async function* pages<Row>(ask: (last?: Row) => Promise<Row[]>): AsyncGenerator<Row[]> {
  for (let last: Row | undefined; ;) {
    const page = await ask(last);
    if (page.length > 0) yield page;
    last = page.at(-1);
    if (page.length < pageSize) return;
  }
}

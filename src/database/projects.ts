import type { LimitedProject, Project, StoredProject } from '../projects/project.ts';
import type { ProjectReads, ProjectWrites, Usage } from '../projects/store.ts';
import { nextRevision } from '../revision.ts';
import type { Access, Connection, Transaction } from './database.ts';
import { type Sql, sql } from './sql.ts';

export function projectReads(access: Access): ProjectReads {
  return {
    find: (projectId) =>
      access.first<StoredProject>(sql`select id, name, created_at, revision from projects where id = ${projectId}`),
    seats: (projectId) =>
      access.first<Usage>(
        sql`select seats_max as max,
            (select cast(count(*) as integer) from members where project_id = ${projectId}) as used
          from projects where id = ${projectId}`,
      ),
    chatbots: (projectId) =>
      access.first<Usage>(
        sql`select chatbots_max as max,
            (select cast(count(*) as integer) from chatbots where project_id = ${projectId}) as used
          from projects where id = ${projectId}`,
      ),
    contacts: (projectId) => contactUsage(access, projectId),
    list: () => access.all<Project>(sql`select id, name, created_at from projects order by created_at, id`),
  };
}

export function contactUsage(connection: Connection, projectId: string): Promise<Usage | undefined> {
  return connection.first<Usage>(
    sql`select contacts_max as max,
        (select cast(coalesce(sum(contacts_added - contacts_removed), 0) as integer)
          from chatbots where project_id = ${projectId}) as used
      from projects where id = ${projectId}`,
  );
}

export function projectWrites(connection: Transaction): ProjectWrites {
  return {
    insert: async ({ id, name, created_at }) =>
      (await connection.run(
        sql`insert into projects (id, name, created_at, revision)
          values (${id}, ${name}, ${created_at}, ${nextRevision()}) on conflict do nothing`,
      )) === 1,
    // A keyed write already shares the project's row: two such writes would deadlock.
    findForUpdate: (projectId) => connection.first<LimitedProject>(sql`${limited(projectId)} ${connection.forChange}`),
    findForDeletion: (projectId) =>
      connection.first<LimitedProject>(sql`${limited(projectId)} ${connection.forUpdate}`),
    delete: async (projectId) => {
      // Lets the Owner go.
      await connection.run(sql`update projects set is_deleted = 1 where id = ${projectId}`);
      await connection.run(sql`delete from members where project_id = ${projectId}`);
      await connection.run(sql`delete from api_keys where project_id = ${projectId}`);
      await connection.run(sql`delete from sessions where project_id = ${projectId}`);
      await connection.run(sql`delete from sign_in_links where project_id = ${projectId}`);
      await connection.run(sql`delete from passkeys where project_id = ${projectId}`);
      await connection.run(sql`delete from idempotency_keys where project_id = ${projectId}`);
      await connection.run(sql`delete from events where project_id = ${projectId}`);
      await connection.run(sql`delete from projects where id = ${projectId}`);
    },
    update: async ({ id, name, seats_max, chatbots_max, contacts_max, revision }) => {
      await connection.run(
        sql`update projects set name = ${name}, seats_max = ${seats_max}, chatbots_max = ${chatbots_max},
            contacts_max = ${contacts_max}, revision = ${revision}
          where id = ${id}`,
      );
    },
  };
}

function limited(projectId: string): Sql {
  return sql`select id, name, created_at, revision, seats_max, chatbots_max, contacts_max from projects where id = ${projectId}`;
}

import type { Project } from '../projects/project.ts';
import type { ProjectReads, ProjectWrites } from '../projects/store.ts';
import type { Access, Transaction } from './database.ts';
import { sql } from './sql.ts';

export function projectReads(access: Access): ProjectReads {
  return {
    find: (projectId) =>
      access.of(projectId).first<Project>(sql`select id, name, created_at from projects where id = ${projectId}`),
    list: () => access.all<Project>(sql`select id, name, created_at from projects order by created_at, id`),
  };
}

export function projectWrites(connection: Transaction): ProjectWrites {
  return {
    insert: async ({ id, name, created_at }) =>
      (await connection.run(
        sql`insert into projects (id, name, created_at) values (${id}, ${name}, ${created_at}) on conflict do nothing`,
      )) === 1,
  };
}

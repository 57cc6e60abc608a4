import type { Project, ProjectStore } from '../projects/project.ts';
import type { Database } from './database.ts';
import { sql } from './sql.ts';

export function projectStore(database: Database): ProjectStore {
  return {
    insertProject: async ({ id, name, created_at }) =>
      (await database
        .of(id)
        .run(
          sql`insert into projects (id, name, created_at) values (${id}, ${name}, ${created_at}) on conflict do nothing`,
        )) === 1,
    findProject: (projectId) =>
      database
        .of(projectId)
        .first<Project>(sql`select id, name, created_at from projects where id = ${projectId}`),
    listProjects: () =>
      database.all<Project>(sql`select id, name, created_at from projects order by created_at, id`),
  };
}

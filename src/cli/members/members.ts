import type { Command } from 'commander';

import { operator } from '../../actor.ts';
import { importMembers } from '../../members/import.ts';
import { memberMatching, memberReader } from '../../members/matching.ts';
import { memberFields, memberStatuses, roles } from '../../members/member.ts';
import { run } from '../../operation.ts';
import { requireProject } from '../../projects/project.ts';
import { exportFile, type ExportFlags, exportOptions } from '../contacts/export-file.ts';
import { importFile, type ImportFlags, importOptions } from '../contacts/import-file.ts';
import { databaseFiles, withStore } from '../open.ts';
import { describe, projectOption } from '../parts.ts';
import { membersLeaveCommands } from './leave.ts';
import { membersListCommand } from './read.ts';
import { membersWriteCommands } from './write.ts';

export function membersCommand(parent: Command): void {
  const members = describe(
    parent.command('members'),
    'list, invite, change, import and export the members of a project',
    [
      'roster members list --project acme',
      'roster members invite grace@example.com --project acme --role Editor',
      'roster members import team.csv --project acme',
    ],
  );
  membersListCommand(members);
  membersWriteCommands(members);
  membersLeaveCommands(members);

  describe(
    importOptions(members.command('import')).addOption(projectOption()),
    'import members from a file: matched by e-mail, in any letter case',
    [
      'roster members import team.csv --project acme',
      'roster members import team.csv --project acme --on-conflict skip --rejects rejected.csv',
    ],
    {
      lists: { Fields: memberFields, Roles: roles, Statuses: memberStatuses },
      exits: { badData: 'bad data, such as a rejected row' },
    },
  ).action((file: string, flags: ImportFlags & { project: string }) =>
    withStore(async (store, config) => {
      const { id } = await requireProject(store.projects, flags.project);
      await importFile(file, flags, databaseFiles(config), {
        ...memberReader,
        command: ['roster', 'members', 'import', '--project', id],
        matching: memberMatching,
        store: async (drafts, decide) => {
          const emails = drafts.map(({ email }) => email);
          await run(importMembers, store, operator(id), { emails, decide });
        },
      });
    }),
  );

  describe(
    exportOptions(members.command('export')).addOption(projectOption()),
    'export members, in a form that can be imported',
    ['roster members export --project acme > team.csv', 'roster members export --project acme --output team.ndjson'],
  ).action((flags: ExportFlags & { project: string }) =>
    withStore(async (store) => {
      const { id } = await requireProject(store.projects, flags.project);
      await exportFile(flags, () => ({ pages: store.members.listAll(id), fields: memberFields }));
    }),
  );
}

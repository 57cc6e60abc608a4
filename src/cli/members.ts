import type { Command } from 'commander';

import { draftMember, memberColumns, memberMatching } from '../members/import.ts';
import { memberFields } from '../members/member.ts';
import { requireProject } from '../projects/project.ts';
import { exportFile, type ExportFlags, exportOptions } from './export-file.ts';
import { importFile, type ImportFlags, importOptions } from './import-file.ts';
import { databaseFiles, withStore } from './open.ts';
import { examples, projectOption } from './parts.ts';

interface Target {
  project: string;
}

export function membersCommand(parent: Command): void {
  const members = parent
    .command('members')
    .description('import and export the members of a project')
    .addHelpText(
      'after',
      examples('roster members import team.csv --project acme', 'roster members export --project acme'),
    );

  importOptions(members.command('import'))
    .addOption(projectOption())
    .description('import members from a file: matched by e-mail, in any letter case')
    .addHelpText(
      'after',
      examples(
        'roster members import team.csv --project acme',
        'roster members import team.csv --project acme --on-conflict skip --rejects refused.csv',
      ),
    )
    .action((file: string, flags: ImportFlags & Target) =>
      withStore(async (store, config) => {
        const project = await requireProject(store, flags.project);
        if (flags.dryRun !== true) await store.closeMemberGaps(project.id);
        await importFile(
          file,
          flags,
          {
            columns: memberColumns,
            identifying: memberFields,
            draft: draftMember,
            matching: memberMatching,
            store: (drafts, choose) => store.importMembers(project.id, drafts, choose),
          },
          databaseFiles(config),
        );
      }),
    );

  exportOptions(members.command('export'))
    .addOption(projectOption())
    .description('export members, in a form that can be imported')
    .addHelpText('after', examples('roster members export --project acme > team.csv'))
    .action((flags: ExportFlags & Target) =>
      withStore(async (store) => {
        const project = await requireProject(store, flags.project);
        await exportFile(store.listAllMembers(project.id), memberFields, flags);
      }),
    );
}

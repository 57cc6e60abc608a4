import { importMembers } from '../../members/import.ts';
import { memberMatching, memberReader } from '../../members/matching.ts';
import { memberFields, memberStatuses, roles } from '../../members/member.ts';
import { exportFile, type ExportFlags, exportOptions } from '../contacts/export-file.ts';
import { importArguments, importFile, type ImportFlags, importOptions } from '../contacts/import-file.ts';
import { databaseFiles } from '../open.ts';
import { command } from '../parts.ts';
import { at, inProject, type InProject } from '../places.ts';

export const importCommand = command<ImportFlags & InProject>('import', {
  says: 'import members from a file: matched by e-mail, in any letter case',
  examples: [
    'roster members import team.csv --project acme',
    'roster members import team.csv --project acme --on-conflict skip --rejects rejected.csv',
  ],
  lists: { Fields: memberFields, Roles: roles, Statuses: memberStatuses },
  exits: { badData: 'bad data, such as a rejected row' },
  place: inProject,
  args: importArguments,
  options: importOptions,
  act: (given) =>
    at(inProject, given, ({ projectId, config, ask }) =>
      importFile(given, databaseFiles(config), {
        ...memberReader,
        command: ['roster', 'members', 'import', '--project', projectId],
        matching: memberMatching,
        store: async (drafts, decide) => {
          const emails = drafts.map(({ email }) => email);
          await ask(importMembers, { emails, decide });
        },
      }),
    ),
});

export const exportCommand = command<ExportFlags & InProject>('export', {
  says: 'export members, in a form that can be imported',
  examples: [
    'roster members export --project acme > team.csv',
    'roster members export --project acme --output team.ndjson',
  ],
  place: inProject,
  options: exportOptions,
  act: (given) =>
    at(inProject, given, async ({ store, projectId }) => {
      await exportFile(given, () => ({ pages: store.members.listAll(projectId), fields: memberFields }));
    }),
});

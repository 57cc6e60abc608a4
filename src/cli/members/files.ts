import type { Batch } from '../../imports.ts';
import { importMembers } from '../../members/import.ts';
import { type MemberDraft, memberKey, memberReader, ownerKey } from '../../members/matching.ts';
import { type Member, memberFields, memberStatuses, roles } from '../../members/member.ts';
import { exportFile, exportOptions } from '../contacts/export-file.ts';
import { importArguments, importFile, type ImportFlags, importOptions } from '../contacts/import-file.ts';
import { databaseFiles } from '../open.ts';
import { inProject, type InProject } from '../places.ts';
import { placed } from '../plain.ts';

export const importCommand = placed('import', inProject, {
  says: 'import members from a file: matched by e-mail, in any letter case',
  examples: [
    'roster members import team.csv --project acme',
    'roster members import team.csv --project acme --on-conflict skip --rejects rejected.csv',
  ],
  lists: { Fields: memberFields, Roles: roles, Statuses: memberStatuses },
  exits: { badData: 'bad data, such as a rejected row' },
  args: importArguments,
  options: importOptions,
  act: ({ projectId, config, ask }, given: ImportFlags & InProject) =>
    importFile(given, databaseFiles(config), {
      ...memberReader,
      noun: 'members',
      where: ['--project', projectId],
      keysOf: ({ draft }) => [memberKey(draft), ownerKey],
      store: (batch: Batch<MemberDraft, Member>) => ask(importMembers, batch),
    }),
});

export const exportCommand = placed('export', inProject, {
  says: 'export members, in a form that can be imported',
  examples: [
    'roster members export --project acme > team.csv',
    'roster members export --project acme --output team.ndjson',
  ],
  options: exportOptions,
  act: async ({ store, projectId }, given) => {
    await exportFile(given, () => ({ pages: store.members.listAll(projectId), fields: memberFields }));
  },
});

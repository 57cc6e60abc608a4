import type { Batch } from '../../imports.ts';
import { importMembers } from '../../members/import.ts';
import { inviteMember, reinviteMember } from '../../members/invite.ts';
import { listMembers } from '../../members/list.ts';
import { type MemberDraft, memberKey, memberReader, ownerKey } from '../../members/matching.ts';
import {
  givenRoles,
  type Member,
  memberFields,
  memberIncludes,
  memberStatuses,
  roles,
  type StoredMember,
} from '../../members/member.ts';
import { retrieveMember } from '../../members/retrieve.ts';
import { transferOwnership } from '../../members/transfer.ts';
import { signOutMember } from '../../sign-in/sessions.ts';
import { exportFile, exportOptions } from '../contacts/export-file.ts';
import { importFile } from '../contacts/import-file.ts';
import { importArguments, type ImportFlags, importOptions } from '../contacts/import-options.ts';
import { makesLinks, notePassOn } from '../links.ts';
import { databaseFiles } from '../open.ts';
import { listing, noteUnlessJson } from '../output.ts';
import { type Flags, group, required } from '../parts.ts';
import { inProject, type InProject, theMember, theMemberAt } from '../places.ts';
import { placed, plain } from '../plain.ts';
import { table } from '../table.ts';
import { includedOf, optionFor } from '../taking.ts';
import { remove, roleFlag, setRoles } from './leave.ts';

/** Without a maximum: the operation itself refuses a page that is too large. */
const wholeNumber = { type: 'integer', minimum: 1 };

const included = includedOf(memberIncludes);

const columns = ['id', 'email', 'status', 'roles', 'invited_at', 'joined_at'] as const;

const list = plain('list', listMembers, inProject, {
  says: 'list members, the Owner first',
  examples: ['roster members list --project acme', 'roster members list --project acme --status Pending --json'],
  takes: {
    status: `only members of this status: ${memberStatuses.join(', ')}`,
    role: `only members who hold this role: ${roles.join(', ')}`,
    email: 'only the member of this address',
    page: optionFor('--page <number>', 'page, from 1', wholeNumber).default(1),
    per_page: optionFor('--per-page <number>', 'members on a page, 1 to 100', wholeNumber).default(100),
    include: optionFor(
      '--include <names>',
      `what to show beside the three fields: ${memberIncludes.join(', ')}, or all`,
      { items: { enum: memberIncludes } },
      true,
    ),
  },
  input: included,
  text: ({ members }, given) => {
    const shown = new Set<string>([...memberFields, ...(included(given).include ?? [])]);
    return table(
      members as StoredMember[],
      columns.filter((one) => shown.has(one)),
    );
  },
  after: ({ pages: { current_page: current, last_page: last } }, given) => {
    if (current < last) noteUnlessJson(given, `page ${current} of ${last}; next: --page ${current + 1}`);
  },
});

const show = plain('show', retrieveMember, theMember, {
  says: 'show a member',
  examples: ['roster members show MEMBER_ID --project acme', 'roster members show MEMBER_ID --project acme --json'],
});

const expiry = ['--expires-in <span>', 'how long the link can be used, 1h to 30d (default: 7d)'] as const;

const invite = plain('invite', inviteMember, inProject, {
  ...makesLinks,
  says: 'invite somebody, and print the link by which they join',
  examples: [
    'roster members invite grace@example.com --project acme --role Editor',
    'roster members invite grace@example.com --project acme --role Editor --role Billing --expires-in 24h',
  ],
  lists: { Roles: givenRoles },
  takes: {
    email: ['<email>', 'the address of the person'],
    roles: roleFlag,
    expires_in: expiry,
  },
  text: ({ invitation, ...shown }) => listing({ ...shown, link: invitation?.url, expires_at: invitation?.expires_at }),
  after: noteInvitation,
});

const reinvite = plain('reinvite', reinviteMember, theMember, {
  ...makesLinks,
  says: 'make a new link for a Pending member; the old one is dead',
  examples: [
    'roster members reinvite MEMBER_ID --project acme',
    'roster members reinvite MEMBER_ID --project acme --expires-in 24h',
  ],
  takes: { expires_in: expiry },
  text: ({ invitation }) => listing({ link: invitation?.url, expires_at: invitation?.expires_at }),
  after: noteInvitation,
});

function noteInvitation({ invitation }: { invitation: { url: string } | null }, given: Flags): void {
  const advice = 'The link is shown only now; Roster sends no e-mail, so pass it on yourself.';
  if (invitation) notePassOn(invitation.url, given, advice);
}

const transfer = plain('transfer', transferOwnership, inProject, {
  says: 'hand the ownership over to an Active member',
  examples: [
    'roster members transfer --project acme --to grace@example.com',
    'roster members transfer --project acme --to grace@example.com --json',
  ],
  takes: { email: required('--to <email>', 'the address of the new Owner').argParser((text) => text.trim()) },
});

const signOut = plain('sign-out', signOutMember, theMemberAt, {
  says: 'end all sessions of a member in the console',
  examples: [
    'roster members sign-out grace@example.com',
    'roster members sign-out grace@example.com --project acme --passkeys',
  ],
  takes: { passkeys: 'remove the passkeys too; then only a link lets the member in' },
  text: ({ sessions, passkeys }) => listing({ sessions_ended: sessions, passkeys_removed: passkeys }),
});

const importCommand = placed('import', inProject, {
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

const exportCommand = placed('export', inProject, {
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

export const membersCommand = group(
  'members',
  'list, invite, change, import and export the members of a project',
  [
    'roster members list --project acme',
    'roster members invite grace@example.com --project acme --role Editor',
    'roster members import team.csv --project acme',
  ],
  [list, show, invite, reinvite, transfer, setRoles, remove, signOut, importCommand, exportCommand],
);

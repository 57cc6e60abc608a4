import type { Command } from 'commander';

import { operator } from '../actor.ts';
import { AppError } from '../errors.ts';
import type { StoredMember } from '../members/member.ts';
import { run } from '../operation.ts';
import { requireProject } from '../projects/project.ts';
import { createSignInLink, type SignInUrl } from '../sign-in/link.ts';
import type { Store } from '../store.ts';
import { withStore } from './open.ts';
import { listing, note, printResult } from './output.ts';
import { describe, type Flags, jsonOption, projectOption } from './parts.ts';
import { noteReach, publicUrlOf } from './public-links.ts';
import { setupLinkOf } from './setup-link.ts';

export function consoleCommand(parent: Command): void {
  const group = describe(parent.command('console'), 'let members sign in to the web console', [
    'roster console link --member ada@example.com',
    'roster console setup-link --project acme',
  ]);
  describe(
    group.command('link'),
    'print a link that signs a member in; it works once and expires in fifteen minutes',
    [
      'roster console link --member ada@example.com',
      'roster console link --member ada@example.com --project acme --json',
    ],
    { settings: ['databaseUrl', 'publicUrl', 'port'] },
  )
    .requiredOption('--member <email>', 'the address of the member')
    .option('--project <id>', 'the project, if several have a member with this address')
    .addOption(jsonOption())
    .action((flags: Flags<{ member: string; project?: string }>) =>
      withStore(async (store, config) => {
        const { projectId, member } = await locateMember(store, flags.member.trim(), flags.project);
        const options = { publicUrl: publicUrlOf(config) };
        const { output } = await run(createSignInLink, store, operator(projectId), { memberId: member.id }, options);
        printLink(output, flags, 'Pass the link on to this member and nobody else. It works once.');
      }),
    );
  describe(
    group.command('setup-link'),
    'print a link that lets the Owner of a project in for the first time, or makes one where there is none',
    ['roster console setup-link --project acme', 'roster console setup-link --project acme --json'],
    { settings: ['databaseUrl', 'publicUrl', 'port'] },
  )
    .addOption(projectOption())
    .addOption(jsonOption())
    .action((flags: Flags<{ project: string }>) =>
      withStore(async (store, config) => {
        const { id } = await requireProject(store.projects, flags.project);
        const link = await setupLinkOf(store, id, publicUrlOf(config));
        if (!link) {
          throw new AppError(
            'conflict',
            'The Owner of this project can sign in; "roster console link" makes another link',
          );
        }
        printLink(link, flags, 'The link lets anybody act as the Owner. It works once.');
      }),
    );
}

function printLink({ url, expires_at }: SignInUrl, flags: Flags, advice: string): void {
  printResult({ url, expires_at }, flags, () => listing({ link: url, expires_at }));
  if (flags.json !== true) note(advice);
  noteReach(url);
}

/** The member of this address in any project. Throws `not_found`, and `ambiguous_match` where there are several. */
export async function locateMember({ projects, members }: Store, email: string, projectId?: string) {
  const located: { projectId: string; member: StoredMember }[] = [];
  for (const { id } of await projects.list()) {
    if (projectId !== undefined && id !== projectId) continue;
    const { members: found } = await members.list(id, { email }, 1, 0, true);
    const [one] = found;
    if (one && 'id' in one) located.push({ projectId: id, member: one });
  }
  const [first, other] = located;
  if (!first) throw new AppError('not_found', 'There is no member with this address', { about: 'member' });
  if (!other) return first;
  throw new AppError('ambiguous_match', `${located.length} projects have a member with this address`, {
    about: 'member',
    existing: located.map((one) => one.projectId),
  });
}

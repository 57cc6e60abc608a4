import type { Command } from 'commander';

import { operator } from '../actor.ts';
import { AppError } from '../errors.ts';
import type { StoredMember } from '../members/member.ts';
import { run } from '../operation.ts';
import { createSignInLink } from '../sign-in/link.ts';
import type { Store } from '../store.ts';
import { withStore } from './open.ts';
import { listing, note, printResult } from './output.ts';
import { describe, type Flags, jsonOption } from './parts.ts';

export function consoleCommand(parent: Command): void {
  const group = describe(parent.command('console'), 'let members sign in to the web console', [
    'roster console link --member ada@example.com',
    'roster console link --member ada@example.com --project acme',
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
    .option('--project <id>', 'the project, where several have a member with this address')
    .addOption(jsonOption())
    .action((flags: Flags<{ member: string; project?: string }>) =>
      withStore(async (store, { publicUrl, port }) => {
        const { projectId, member } = await locateMember(store, flags.member.trim(), flags.project);
        const options = { publicUrl: publicUrl.replace(/:PORT$/, `:${port}`) };
        const { output } = await run(createSignInLink, store, operator(projectId), { memberId: member.id }, options);
        printResult(output, flags, () => listing({ link: output.url, expires_at: output.expires_at }));
        if (flags.json !== true) note('Pass the link on to this member and nobody else. It works once.');
      }),
    );
}

/** The member of this address in any project. Throws `not_found`, and `ambiguous_match` where there are several. */
async function locateMember({ projects, members }: Store, email: string, projectId?: string) {
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

import type { Command } from 'commander';

import { operator } from '../../actor.ts';
import { listApiKeys } from '../../api-keys/list.ts';
import type { Beyond } from '../../members/made-by.ts';
import type { GivenRole } from '../../members/member.ts';
import { removeMember } from '../../members/remove.ts';
import { retrieveMember } from '../../members/retrieve.ts';
import { updateMember } from '../../members/update.ts';
import { run } from '../../operation.ts';
import { signOutMember } from '../../sign-in/sign-out.ts';
import { confirmBy } from '../confirm.ts';
import { locateMember } from '../console.ts';
import { withStore } from '../open.ts';
import { counted, listing, note, printResult } from '../output.ts';
import { describe, type Flags, jsonOption } from '../parts.ts';
import { inProject, type Place } from './read.ts';
import { oneMember, roleOption } from './write.ts';

type Leave = Flags<Place & { keepKeys?: boolean; dryRun?: boolean; yes?: boolean }>;

/** Commands that take rights from members: change roles, remove, sign out. */
export function membersLeaveCommands(members: Command): void {
  leaveOptions(
    oneMember(members.command('set-roles'), 'replace the roles of a member who is not the Owner', [
      'roster members set-roles MEMBER_ID --project acme --role Admin',
      'roster members set-roles MEMBER_ID --project acme --role Editor --role Billing --dry-run',
    ]).addOption(roleOption()),
  ).action(async (memberId: string, flags: Leave & { role: GivenRole[] }) => {
    const input = { memberId, roles: flags.role, ...(flags.keepKeys === true && { keep_keys: true }) };
    const beyond = (await inProject(flags, updateMember, { ...input, dry_run: true })) as Beyond;
    if (flags.dryRun === true) return printResult(beyond, flags, () => listing(beyond));
    await confirmBeyond(memberId, beyond, flags);
    const member = await inProject(flags, updateMember, input);
    printResult(member, flags, () => listing(member));
  });

  leaveOptions(
    oneMember(members.command('remove'), 'remove a member who is not the Owner, or withdraw an invitation', [
      'roster members remove MEMBER_ID --project acme',
      'roster members remove MEMBER_ID --project acme --keep-keys',
    ]),
  ).action(async (memberId: string, flags: Leave) => {
    const input = { memberId, ...(flags.keepKeys === true && { keep_keys: true }) };
    const beyond = (await inProject(flags, removeMember, { ...input, dry_run: true })) as Beyond;
    if (flags.dryRun === true) return printResult(beyond, flags, () => listing(beyond));
    await confirmBeyond(memberId, beyond, flags);
    await inProject(flags, removeMember, input);
    const removed = { id: memberId, outcome: 'removed' };
    printResult(removed, flags, () => listing(removed));
  });

  describe(members.command('sign-out'), 'end all sessions of a member in the console', [
    'roster members sign-out grace@example.com',
    'roster members sign-out grace@example.com --project acme --passkeys',
  ])
    .argument('<email>', 'the address of the member')
    .option('--project <id>', 'the project, if several have a member with this address')
    .option('--passkeys', 'remove the passkeys too; then only a link lets the member in')
    .addOption(jsonOption())
    .action((email: string, flags: Flags<{ project?: string; passkeys?: boolean }>) =>
      withStore(async (store) => {
        const { projectId, member } = await locateMember(store, email.trim(), flags.project);
        const input = { memberId: member.id, passkeys: flags.passkeys === true };
        const { output } = await run(signOutMember, store, operator(projectId), input);
        printResult(output, flags, () =>
          listing({ sessions_ended: output.sessions, passkeys_removed: output.passkeys }),
        );
      }),
    );
}

function leaveOptions(command: Command): Command {
  return command
    .option('--keep-keys', 'keep keys and invitations of the member that exceed the remaining rights')
    .option('--dry-run', 'print the keys and invitations that would end, and change nothing')
    .option('--yes', 'revoke and withdraw them without asking');
}

/** Names the keys and invitations that end too, and asks for confirmation if there are any. */
async function confirmBeyond(memberId: string, { keys, invitations }: Beyond, flags: Leave): Promise<void> {
  if (keys.length === 0 && invitations.length === 0) return;
  const known = new Map((await inProject(flags, listApiKeys, undefined)).map(({ id, name }) => [id, name]));
  for (const id of keys) note(`The key ${id} (${known.get(id)}) ends too.`);
  for (const id of invitations) {
    const { email } = await inProject(flags, retrieveMember, { memberId: id });
    note(`The invitation of ${email} (${id}) ends too.`);
  }
  const ended = `${counted(keys.length, 'key', 'keys')} and ${counted(invitations.length, 'invitation', 'invitations')}`;
  const deed = `This ends ${ended} of the member; --keep-keys keeps them`;
  await confirmBy(memberId, deed, flags);
}

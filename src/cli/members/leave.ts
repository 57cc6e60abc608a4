import { listApiKeys } from '../../api-keys/list.ts';
import type { Beyond, BeyondOptions } from '../../members/made-by.ts';
import { type GivenRole, givenRoles } from '../../members/member.ts';
import { removeMember } from '../../members/remove.ts';
import { retrieveMember } from '../../members/retrieve.ts';
import { updateMember } from '../../members/update.ts';
import { confirmBy } from '../confirm.ts';
import { counted, note, printResult } from '../output.ts';
import { type Flags, option } from '../parts.ts';
import { type InProject, theMember } from '../places.ts';
import { type Here, placed } from '../plain.ts';
import { taking } from '../taking.ts';

type Leave = Flags<InProject & { memberId: string; keepKeys?: boolean; dryRun?: boolean; yes?: boolean }>;

const leaveOptions = [
  option('--keep-keys', 'keep keys and invitations of the member that exceed the remaining rights'),
  option('--dry-run', 'print the keys and invitations that would end, and change nothing'),
  option('--yes', 'revoke and withdraw them without asking'),
];

export const roleFlag = ['--role <role>', `one of ${givenRoles.join(', ')}; may be repeated`] as const;

export const setRoles = placed('set-roles', theMember, {
  says: 'replace the roles of a member who is not the Owner',
  examples: [
    'roster members set-roles MEMBER_ID --project acme --role Admin',
    'roster members set-roles MEMBER_ID --project acme --role Editor --role Billing --dry-run',
  ],
  taken: taking(updateMember, { roles: roleFlag }),
  options: leaveOptions,
  act: ({ ask }, given: Leave & { role: GivenRole[] }) =>
    leave(ask, given, (more) => ask(updateMember, { roles: given.role, ...more })),
});

export const remove = placed('remove', theMember, {
  says: 'remove a member who is not the Owner, or withdraw an invitation',
  examples: [
    'roster members remove MEMBER_ID --project acme',
    'roster members remove MEMBER_ID --project acme --keep-keys',
  ],
  options: leaveOptions,
  act: ({ ask }, given: Leave) => leave(ask, given, (more) => ask(removeMember, more)),
});

type Ask = Here<{ memberId: string }>['ask'];

/** Takes rights from a member; first says which keys and invitations end too, and asks for confirmation if there are any. */
async function leave(ask: Ask, given: Leave, act: (more: BeyondOptions) => Promise<object | undefined>): Promise<void> {
  const keeping = given.keepKeys === true ? { keep_keys: true } : {};
  const beyond = (await act({ ...keeping, dry_run: true })) as Beyond;
  if (given.dryRun === true) return printResult(beyond, given);
  await confirmBeyond(ask, beyond, given);
  printResult((await act(keeping)) ?? { id: given.memberId, outcome: 'removed' }, given);
}

async function confirmBeyond(ask: Ask, { keys, invitations }: Beyond, given: Leave): Promise<void> {
  if (keys.length === 0 && invitations.length === 0) return;
  const known = new Map((await ask(listApiKeys)).keys.map(({ id, name }) => [id, name]));
  for (const id of keys) note(`The key ${id} (${known.get(id)}) ends too.`);
  for (const id of invitations) {
    const { email } = await ask(retrieveMember, { memberId: id });
    note(`The invitation of ${email} (${id}) ends too.`);
  }
  const ended = `${counted(keys.length, 'key', 'keys')} and ${counted(invitations.length, 'invitation', 'invitations')}`;
  await confirmBy(given.memberId, `This ends ${ended} of the member; --keep-keys keeps them`, given);
}

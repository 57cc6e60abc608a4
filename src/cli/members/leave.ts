import { listApiKeys } from '../../api-keys/list.ts';
import type { Beyond } from '../../members/made-by.ts';
import { type GivenRole, givenRoles } from '../../members/member.ts';
import { removeMember } from '../../members/remove.ts';
import { retrieveMember } from '../../members/retrieve.ts';
import { updateMember } from '../../members/update.ts';
import { confirmBy } from '../confirm.ts';
import { counted, note, printResult } from '../output.ts';
import { command, type Flags, option } from '../parts.ts';
import { at, type Here, type InProject, theMember } from '../places.ts';
import { taking } from '../taking.ts';

type Leave = Flags<InProject & { memberId: string; keepKeys?: boolean; dryRun?: boolean; yes?: boolean }>;

const leaveOptions = [
  option('--keep-keys', 'keep keys and invitations of the member that exceed the remaining rights'),
  option('--dry-run', 'print the keys and invitations that would end, and change nothing'),
  option('--yes', 'revoke and withdraw them without asking'),
];

export const roleFlag = ['--role <role>', `one of ${givenRoles.join(', ')}; may be repeated`] as const;
const givenRole = taking(updateMember, { roles: roleFlag });

export const setRoles = command<Leave & { role: GivenRole[] }>('set-roles', {
  says: 'replace the roles of a member who is not the Owner',
  examples: [
    'roster members set-roles MEMBER_ID --project acme --role Admin',
    'roster members set-roles MEMBER_ID --project acme --role Editor --role Billing --dry-run',
  ],
  place: theMember,
  options: [...givenRole.options, ...leaveOptions],
  act: (given) =>
    leave(
      given,
      ({ ask }, more) => ask(updateMember, { roles: given.role, ...more }),
      (member) => member,
    ),
});

export const remove = command<Leave>('remove', {
  says: 'remove a member who is not the Owner, or withdraw an invitation',
  examples: [
    'roster members remove MEMBER_ID --project acme',
    'roster members remove MEMBER_ID --project acme --keep-keys',
  ],
  place: theMember,
  options: leaveOptions,
  act: (given) =>
    leave(
      given,
      ({ ask }, more) => ask(removeMember, more),
      () => ({ id: given.memberId, outcome: 'removed' }),
    ),
});

type InMember = Here<{ memberId: string }>;

/** Takes rights from a member; first says which keys and invitations end too, and asks for confirmation if there are any. */
async function leave(
  given: Leave,
  act: (here: InMember, more: { keep_keys?: boolean; dry_run?: boolean }) => Promise<unknown>,
  resultOf: (output: object) => object,
): Promise<void> {
  const keeping = given.keepKeys === true ? { keep_keys: true } : {};
  await at(theMember, given, async (here) => {
    const beyond = (await act(here, { ...keeping, dry_run: true })) as Beyond;
    if (given.dryRun === true) return printResult(beyond, given);
    await confirmBeyond(here, beyond, given);
    printResult(resultOf((await act(here, keeping)) as object), given);
  });
}

async function confirmBeyond({ ask }: InMember, { keys, invitations }: Beyond, given: Leave): Promise<void> {
  if (keys.length === 0 && invitations.length === 0) return;
  const known = new Map((await ask(listApiKeys)).map(({ id, name }) => [id, name]));
  for (const id of keys) note(`The key ${id} (${known.get(id)}) ends too.`);
  for (const id of invitations) {
    const { email } = await ask(retrieveMember, { memberId: id });
    note(`The invitation of ${email} (${id}) ends too.`);
  }
  const ended = `${counted(keys.length, 'key', 'keys')} and ${counted(invitations.length, 'invitation', 'invitations')}`;
  await confirmBy(given.memberId, `This ends ${ended} of the member; --keep-keys keeps them`, given);
}

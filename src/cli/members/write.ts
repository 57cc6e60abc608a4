import { type Command, InvalidArgumentError, Option } from 'commander';

import { inviteMember, reinviteMember } from '../../members/invite.ts';
import { type GivenRole, givenRoles } from '../../members/member.ts';
import { retrieveMember } from '../../members/retrieve.ts';
import { transferOwnership } from '../../members/transfer.ts';
import { listing, note, printResult } from '../output.ts';
import { collect, describe, type Flags, jsonOption, projectOption } from '../parts.ts';
import { noteReach } from '../public-links.ts';
import { inProject, type Place } from './read.ts';

export function membersWriteCommands(members: Command): void {
  oneMember(members.command('show'), 'show a member', [
    'roster members show MEMBER_ID --project acme',
    'roster members show MEMBER_ID --project acme --json',
  ]).action(async (memberId: string, flags: Flags<Place>) => {
    const member = await inProject(flags, retrieveMember, { memberId });
    printResult(member, flags, () => listing(member));
  });

  describe(
    members.command('invite'),
    'invite somebody, and print the link by which they join',
    [
      'roster members invite grace@example.com --project acme --role Editor',
      'roster members invite grace@example.com --project acme --role Editor --role Billing --expires-in 24h',
    ],
    { lists: { Roles: givenRoles }, settings: ['databaseUrl', 'publicUrl', 'port'] },
  )
    .argument('<email>', 'the address of the person')
    .addOption(projectOption())
    .addOption(roleOption())
    .addOption(expiryOption())
    .addOption(jsonOption())
    .action(async (email: string, flags: Flags<Place & { role: GivenRole[]; expiresIn?: string }>) => {
      const input = { email: email.trim(), roles: flags.role, ...expiryOf(flags) };
      const member = await inProject(flags, inviteMember, input);
      const { invitation, ...shown } = member;
      printResult(member, flags, () =>
        listing({ ...shown, link: invitation?.url, expires_at: invitation?.expires_at }),
      );
      notePassOn(member, flags);
    });

  oneMember(
    members.command('reinvite'),
    'make a new link for a Pending member; the old one is dead',
    [
      'roster members reinvite MEMBER_ID --project acme',
      'roster members reinvite MEMBER_ID --project acme --expires-in 24h',
    ],
    ['databaseUrl', 'publicUrl', 'port'],
  )
    .addOption(expiryOption())
    .action(async (memberId: string, flags: Flags<Place & { expiresIn?: string }>) => {
      const made = await inProject(flags, reinviteMember, { memberId, ...expiryOf(flags) });
      printResult(made, flags, () => listing({ link: made.invitation?.url, expires_at: made.invitation?.expires_at }));
      notePassOn(made, flags);
    });

  describe(members.command('transfer'), 'hand the ownership over to an Active member', [
    'roster members transfer --project acme --to grace@example.com',
    'roster members transfer --project acme --to grace@example.com --json',
  ])
    .addOption(projectOption())
    .requiredOption('--to <email>', 'the address of the new Owner')
    .addOption(jsonOption())
    .action(async (flags: Flags<Place & { to: string }>) => {
      const owner = await inProject(flags, transferOwnership, { email: flags.to.trim() });
      printResult(owner, flags, () => listing(owner));
    });
}

function notePassOn({ invitation }: { invitation?: { url: string } | null | undefined }, { json }: Flags): void {
  if (json !== true) note('The link is shown only now; Roster sends no e-mail, so pass it on yourself.');
  if (invitation) noteReach(invitation.url);
}

/** Defines a command about one member, found by id. */
export function oneMember(
  command: Command,
  description: string,
  examples: readonly string[],
  settings: readonly ('databaseUrl' | 'publicUrl' | 'port')[] = ['databaseUrl'],
): Command {
  return describe(command, description, examples, { settings })
    .argument('<member-id>', 'its id, as "members list" shows it')
    .addOption(projectOption())
    .addOption(jsonOption());
}

function expiryOf({ expiresIn }: { expiresIn?: string }): { expires_in?: string } {
  return expiresIn === undefined ? {} : { expires_in: expiresIn };
}

function expiryOption(): Option {
  return new Option('--expires-in <span>', 'how long the link can be used, 1h to 30d (default: 7d)');
}

export function roleOption(): Option {
  return new Option('--role <role>', `one of ${givenRoles.join(', ')}; may be repeated`)
    .argParser(parseRole)
    .makeOptionMandatory();
}

function parseRole(value: string, previous?: GivenRole[]): GivenRole[] {
  const known = givenRoles.find((one) => one.toLowerCase() === value.trim().toLowerCase());
  if (!known) throw new InvalidArgumentError(`Allowed are ${givenRoles.join(', ')}.`);
  return previous?.includes(known) === true ? previous : collect<GivenRole>(known, previous);
}

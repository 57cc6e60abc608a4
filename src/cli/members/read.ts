import { type Command, InvalidArgumentError, Option } from 'commander';

import { operator } from '../../actor.ts';
import { AppError } from '../../errors.ts';
import { listMembers } from '../../members/list.ts';
import {
  type MemberInclude,
  memberIncludes,
  type MemberStatus,
  memberStatuses,
  type Role,
  roles,
  type StoredMember,
} from '../../members/member.ts';
import { type Operation, run } from '../../operation.ts';
import { requireProject } from '../../projects/project.ts';
import { withStore } from '../open.ts';
import { note, printResult } from '../output.ts';
import { describe, type Flags, jsonOption, projectOption } from '../parts.ts';
import { publicUrlOf } from '../public-links.ts';
import { table } from '../table.ts';

export interface Place {
  project: string;
}

export function membersListCommand(members: Command): void {
  describe(members.command('list'), 'list members, the Owner first', [
    'roster members list --project acme',
    'roster members list --project acme --status Pending --json',
  ])
    .addOption(projectOption())
    .addOption(wordOption('--status <status>', 'only members of this status', memberStatuses))
    .addOption(wordOption('--role <role>', 'only members who hold this role', roles))
    .option('--email <email>', 'only the member of this address')
    .addOption(new Option('--page <number>', 'page, from 1').argParser(parseNumber).default(1))
    .addOption(new Option('--per-page <number>', 'members on a page, 1 to 100').argParser(parseNumber).default(100))
    .addOption(
      new Option(
        '--include <names>',
        `what to show beside the three fields: ${memberIncludes.join(', ')}, or all`,
      ).argParser(parseIncludes),
    )
    .addOption(jsonOption())
    .action(async (flags: Flags<Place & ListFlags>) => {
      const { status, role, email, page, perPage, json } = flags;
      // A person needs the ids for other commands; a program gets what HTTP answers.
      const include = flags.include ?? (json === true ? undefined : [...memberIncludes]);
      const input = {
        page,
        per_page: perPage,
        ...(status && { status }),
        ...(role && { role }),
        ...(email && { email }),
      };
      const found = await inProject(flags, listMembers, { ...input, ...(include && { include }) });
      const { current_page: current, last_page: last } = found.pages;
      printResult(found, flags, () =>
        table<Partial<StoredMember>>(found.members, [
          ...(include?.filter((one) => one === 'id') ?? []),
          'email',
          'status',
          'roles',
          ...(include?.filter((one) => one !== 'id') ?? []),
        ]),
      );
      if (json !== true && current < last) note(`page ${current} of ${last}; next: --page ${current + 1}`);
    });
}

interface ListFlags {
  status?: MemberStatus;
  role?: Role;
  email?: string;
  page: number;
  perPage: number;
  include?: MemberInclude[];
}

/** Runs an operation in the project, and names a wrong field by the words of the command line. */
export function inProject<Input, Output>(
  { project }: Place,
  operation: Operation<Input, Output>,
  input: Input,
): Promise<Output> {
  return withStore(async (store, config) => {
    const { id } = await requireProject(store.projects, project);
    try {
      return (await run(operation, store, operator(id), input, { publicUrl: publicUrlOf(config) })).output;
    } catch (error) {
      if (!(error instanceof AppError) || error.errors === undefined) throw error;
      const errors = error.errors.map((one) => ({ ...one, field: optionOf(one.field) }));
      throw new AppError(error.code, error.message, { errors, cause: error });
    }
  });
}

function optionOf(field: string): string {
  if (field === 'memberId') return '<member-id>';
  if (field === 'email') return '<email>';
  return field.startsWith('roles') ? '--role' : `--${field.replaceAll('_', '-')}`;
}

/** An option that takes one of these words, in any letter case. */
function wordOption(flags: string, meaning: string, words: readonly string[]): Option {
  return new Option(flags, `${meaning}: ${words.join(', ')}`).argParser((value: string) => {
    const known = words.find((word) => word.toLowerCase() === value.trim().toLowerCase());
    if (known === undefined) throw new InvalidArgumentError(`Allowed are ${words.join(', ')}.`);
    return known;
  });
}

function parseNumber(value: string): number {
  if (/^[1-9]\d{0,14}$/.test(value)) return Number(value);
  throw new InvalidArgumentError('Allowed are whole numbers from 1.');
}

function parseIncludes(value: string): MemberInclude[] {
  const named = value.split(',').map((name) => name.trim());
  const unknown = named.filter((name) => name !== 'all' && !memberIncludes.some((one) => one === name));
  if (unknown.length > 0) throw new InvalidArgumentError(`Allowed are ${memberIncludes.join(', ')} and all.`);
  return memberIncludes.filter((one) => named.includes('all') || named.includes(one));
}

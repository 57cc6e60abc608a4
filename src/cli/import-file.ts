import { statSync } from 'node:fs';

import { type Command, Option } from 'commander';

import { isAboutSomebody } from '../files/columns.ts';
import { type Format, formatOfName, formats } from '../files/formats.ts';
import { type Account, importPeople, type Noun, openAccount } from '../files/import.ts';
import { openInput } from '../files/input.ts';
import { openReading } from '../files/reading.ts';
import { openRejects } from '../files/rejects.ts';
import { conflictPolicies, type ConflictPolicy, refusedByPolicy } from '../imports.ts';
import { interruptible } from './interrupt.ts';
import { Exit, exitCodes, listing, note, printResult, UsageError } from './output.ts';
import { collect, jsonOption } from './parts.ts';
import { progress } from './progress.ts';

export interface ImportFlags {
  format?: Format;
  map?: string[];
  onConflict: ConflictPolicy;
  dryRun?: boolean;
  rejects?: string;
  json?: boolean;
}

const refusalsShown = 5;

/** The options that every import has. */
export function importOptions(command: Command): Command {
  return command
    .argument('<file>', 'CSV, NDJSON or a JSON array; - is stdin')
    .addOption(
      new Option('--format <format>', 'what the file holds (default: by its name or its beginning)').choices(
        formats,
      ),
    )
    .option('--map <field=heading>', 'take a field from this column; may be repeated', collect<string>)
    .addOption(
      new Option('--on-conflict <policy>', 'what to do with a row that would change somebody')
        .choices(conflictPolicies)
        .default('update'),
    )
    .option('--dry-run', 'say what would happen and store nothing')
    .option('--rejects <file>', 'write refused rows here, as they were, with line and reason')
    .addOption(jsonOption());
}

/**
 * Imports the file, prints the account, and throws Exit 65 when a row was refused, 130 when interrupted.
 * `precious` are files that the rejects must not replace.
 */
export async function importFile<Field extends string, Draft extends object, Person>(
  file: string,
  flags: ImportFlags,
  noun: Noun<Field, Draft, Person>,
  precious: readonly string[],
): Promise<void> {
  const mapping = parseMapping(flags.map ?? [], Object.keys(noun.columns));
  for (const one of [file, ...precious]) refuseToReplace(one, flags.rejects);
  const input = openInput(file);
  using _ = interruptible(input.stop);
  const bar = progress(input.size);
  const refusals = refusalNotes(flags.rejects !== undefined, () => bar.end());
  const account = openAccount();
  try {
    const format = flags.format ?? formatOfName(file);
    const givesBack = flags.rejects !== undefined;
    const reading = await openReading(input.bytes, noun, {
      format,
      mapping,
      givesBack,
      onColumns: noteColumns,
    });
    using rejects = flags.rejects === undefined ? undefined : openRejects(flags.rejects, reading.format);
    await importPeople(
      reading,
      noun,
      {
        policy: flags.onConflict,
        dryRun: flags.dryRun === true,
        rejects,
        wording: (reason) => (reason === refusedByPolicy ? `${reason} (--on-conflict fail)` : reason),
        onRefused: refusals.show,
        onBatch: ({ read }) => bar.update(read, input.bytesRead()),
      },
      account,
    );
  } catch (error) {
    bar.end();
    noteStop(account, flags);
    throw error;
  } finally {
    // An import that fails must not wait for the rest of its input.
    input.stop();
  }
  bar.end();
  refusals.sum();
  if (flags.dryRun === true) note('Dry run: nothing was stored.');
  printResult(account, flags, () => listing(account));
  if (account.rejected > 0) throw new Exit(exitCodes.badData);
}

/** `--map FIELD=HEADING` as given; throws UsageError where the field is none of ours or is given twice. */
export function parseMapping(pairs: readonly string[], fields: readonly string[]): Map<string, string> {
  const mapping = new Map<string, string>();
  for (const pair of pairs) {
    const [field = '', ...rest] = pair.split('=');
    const name = field.trim().replaceAll('-', '_').toLowerCase();
    const heading = rest.join('=').trim();
    if (!fields.includes(name) || heading === '') {
      throw new UsageError(`--map takes FIELD=HEADING with a field of ${fields.join(', ')}; mend "${pair}".`);
    }
    if (mapping.has(name)) throw new UsageError(`--map names ${name} twice; say once where it comes from.`);
    mapping.set(name, heading);
  }
  return mapping;
}

function noteColumns(
  {
    sources,
    leftOut,
  }: { sources: ReadonlyMap<string, readonly (readonly number[])[]>; leftOut: readonly string[] },
  headings: readonly string[],
): void {
  for (const [field, places] of sources) {
    note(
      `${field} <- ${places.map((one) => one.map((index) => headings[index]).join(' + ')).join(', else ')}`,
    );
  }
  const names = leftOut.map((heading) =>
    isAboutSomebody(heading) ? `column ${headings.indexOf(heading) + 1}` : heading,
  );
  if (names.length > 0) note(`left out: ${names.join(', ')}`);
}

function refusalNotes(areKept: boolean, clear: () => void) {
  let count = 0;
  return {
    show: (line: number, reason: string) => {
      count++;
      if (count > refusalsShown) return;
      clear();
      note(`line ${line}: ${reason}`);
    },
    sum: () => {
      if (count <= refusalsShown) return;
      note(
        `and ${count - refusalsShown} more rows refused${areKept ? '' : '; see them all with --rejects FILE'}`,
      );
    },
  };
}

function noteStop({ read, created, updated }: Account, { dryRun }: ImportFlags): void {
  if (read === 0) return;
  note(
    dryRun === true
      ? 'Stopped; it was a dry run, so nothing was stored.'
      : `Stopped after ${read} rows: ${created} created, ${updated} updated; whole batches are kept, and the import can be run again.`,
  );
}

// Mended rejects are often imported with the same --rejects: the file must not be truncated while it is read.
function refuseToReplace(file: string, rejects: string | undefined): void {
  if (rejects === undefined || file === '-') return;
  const [one, other] = [file, rejects].map((path) => statSync(path, { throwIfNoEntry: false }));
  if (!one || !other || one.ino !== other.ino || one.dev !== other.dev) return;
  throw new UsageError(`--rejects would replace a file that is in use: ${file}; name another.`);
}

import { statSync } from 'node:fs';

import { type Command, Option } from 'commander';

import { type Columns, isAboutSomebody } from '../files/columns.ts';
import { type Format, formatOfName, formats } from '../files/formats.ts';
import { type Account, emptyAccount, importPeople, type Noun } from '../files/import.ts';
import { openInput } from '../files/input.ts';
import { openReading } from '../files/reading.ts';
import { openRejects } from '../files/rejects.ts';
import { conflictPolicies, type ConflictPolicy, refusedByPolicy } from '../imports.ts';
import { Exit, exitCodes, listing, note, printResult, UsageError } from './output.ts';
import { collect, type Flags, jsonOption } from './parts.ts';
import { progress } from './progress.ts';
import { interruptible } from './signals.ts';

export type ImportFlags = Flags<{
  format?: Format;
  map?: string[];
  onConflict: ConflictPolicy;
  dryRun?: boolean;
  rejects?: string;
}>;

const rejectionsShown = 5;

export function importOptions(command: Command): Command {
  return command
    .argument('<file>', 'CSV, NDJSON or a JSON array; - is stdin')
    .addOption(
      new Option('--format <format>', 'what the file holds (default: by its name or its beginning)').choices(formats),
    )
    .option('--map <field=heading>', 'take a field from this column; may be repeated', collect<string>)
    .addOption(
      new Option('--on-conflict <policy>', 'what to do with a row that would change somebody')
        .choices(conflictPolicies)
        .default('update'),
    )
    .option('--dry-run', 'say what would happen and store nothing')
    .option('--rejects <file>', 'write rejected rows here, as they were, with line and reason')
    .addOption(jsonOption());
}

/**
 * Imports the file and prints the account. Throws Exit 65 after a rejected row, 130 after a signal.
 * The rejects may replace neither the file nor a precious one.
 */
export async function importFile<Field extends string, Draft extends object, Person>(
  file: string,
  flags: ImportFlags,
  precious: readonly string[],
  noun: Noun<Field, Draft, Person>,
): Promise<void> {
  const mapping = parseMapping(flags.map ?? [], Object.keys(noun.columns));
  for (const one of [file, ...precious]) requireOther(one, flags.rejects);
  const input = openInput(file);
  using _ = interruptible(input.stop);
  const bar = progress(input.size);
  const rejections = rejectionNotes(flags.rejects !== undefined, bar.end);
  const account = emptyAccount();
  try {
    const reading = await openReading(input.bytes, noun, {
      format: flags.format ?? formatOfName(file),
      mapping,
      givesBack: flags.rejects !== undefined,
      onColumns: noteColumns,
    });
    using rejects =
      flags.rejects === undefined ? undefined : openRejects(flags.rejects, reading.format, flags.dryRun === true);
    const options = {
      policy: flags.onConflict,
      dryRun: flags.dryRun === true,
      rejects,
      wording: (reason: string) => (reason === refusedByPolicy ? `${reason} (--on-conflict fail)` : reason),
      onRejected: rejections.show,
      onBatch: () => bar.update(account.read, input.bytesRead()),
    };
    await importPeople(reading, noun, options, account);
  } catch (error) {
    bar.end();
    noteStop(account, flags);
    throw error;
  } finally {
    // A failed import must not wait for the rest of stdin.
    input.stop();
  }
  bar.end();
  rejections.noteRest();
  if (flags.dryRun === true) note('Dry run: nothing was stored.');
  printResult(account, flags, () => listing(account));
  if (account.rejected > 0) throw new Exit(exitCodes.badData);
}

function parseMapping(pairs: readonly string[], fields: readonly string[]): Map<string, string> {
  const mapping = new Map<string, string>();
  for (const pair of pairs) {
    const [field = '', ...rest] = pair.split('=');
    const name = field.trim().replaceAll('-', '_').toLowerCase();
    const heading = rest.join('=').trim();
    if (!fields.includes(name) || heading === '') {
      throw new UsageError(`--map takes FIELD=HEADING with a field of ${fields.join(', ')}; fix "${pair}".`);
    }
    if (mapping.has(name)) throw new UsageError(`--map names ${name} twice; say once where it comes from.`);
    mapping.set(name, heading);
  }
  return mapping;
}

function noteColumns({ sources, leftOut }: Columns<string>, headings: readonly string[]): void {
  for (const [field, places] of sources) {
    const names = places.map((one) => one.map((index) => headings[index]).join(' + '));
    note(`${field} <- ${names.join(', else ')}`);
  }
  const names = leftOut.map((heading) =>
    isAboutSomebody(heading) ? `column ${headings.indexOf(heading) + 1}` : heading,
  );
  if (names.length > 0) note(`left out: ${names.join(', ')}`);
}

function rejectionNotes(areKept: boolean, clear: () => void) {
  let count = 0;
  return {
    show: (line: number, reason: string) => {
      if (++count > rejectionsShown) return;
      clear();
      note(`line ${line}: ${reason}`);
    },
    noteRest: () => {
      const rest = count - rejectionsShown;
      if (rest > 0) note(`and ${rest} more rows rejected${areKept ? '' : '; see them all with --rejects FILE'}`);
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

// Fixed rejects are often imported with the same --rejects, which would truncate the file being read.
function requireOther(file: string, rejects: string | undefined): void {
  if (rejects === undefined || file === '-') return;
  const [one, other] = [file, rejects].map((path) => statSync(path, { throwIfNoEntry: false }));
  if (!one || !other || one.ino !== other.ino || one.dev !== other.dev) return;
  throw new UsageError(`--rejects would replace a file that is in use: ${file}; name another.`);
}

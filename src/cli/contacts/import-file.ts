import { statSync } from 'node:fs';

import { type Account, emptyAccount } from '../../files/account.ts';
import type { KnownColumns, OpenFields } from '../../files/columns.ts';
import { type Format, formatOfName } from '../../files/formats.ts';
import { type Importer, importPeople } from '../../files/import.ts';
import { openInput } from '../../files/input.ts';
import { openReading } from '../../files/reading.ts';
import { openRejects } from '../../files/rejects.ts';
import { refusedByPolicy } from '../../imports.ts';
import { shellWord } from '../../values/shell-word.ts';
import { Exit, exitCodes, UsageError } from '../failures.ts';
import { note } from '../output.ts';
import { progress } from '../progress.ts';
import { interruptible } from '../signals.ts';
import type { ImportFlags } from './import-options.ts';
import { importReport } from './import-report.ts';

interface ImportedNoun<Field extends string, Draft, Person> extends Importer<Field, Draft, Person> {
  noun: 'contacts' | 'members';
  where: readonly string[];
}

/** Prints the account. Throws Exit 65 after a rejected row, 130 after a signal. The rejects replace no precious file. */
export async function importFile<Field extends string, Draft extends object, Person>(
  flags: ImportFlags,
  precious: readonly string[],
  noun: ImportedNoun<Field, Draft, Person>,
): Promise<void> {
  const { file } = flags;
  const mapping = parseMapping(flags.map ?? [], noun);
  for (const one of [file, ...precious]) requireOther(one, flags.rejects);
  const input = openInput(file);
  using _ = interruptible(input.stop);
  const bar = progress(input.size);
  const report = importReport(flags, bar.end, noun);
  const account = emptyAccount();
  try {
    const reading = await openReading(input.bytes, noun, {
      format: flags.format ?? formatOfName(file),
      encoding: flags.encoding,
      mapping,
      leftOut: flags.leaveOut ?? [],
      givesBack: flags.rejects !== undefined,
      lenient: flags.lenient === true,
      keepsColumns: flags.keepColumns === true,
      ...report,
    });
    using rejects =
      flags.rejects === undefined ? undefined : openRejects(flags.rejects, reading.format, flags.dryRun === true);
    const again = flags.rejects === undefined ? '' : secondImport(noun, flags.rejects, flags, reading.format);
    await importPeople(
      reading,
      noun,
      {
        policy: flags.onConflict,
        dryRun: flags.dryRun === true,
        rejects,
        wording: ({ refused }) => (refused === refusedByPolicy ? `${refused} (--on-conflict fail)` : refused),
        advice: `mend it, or empty this cell to import it as it is, and run: ${again}`,
        ...report,
        onBatch: () => bar.update(account.read, input.bytesRead()),
      },
      account,
    );
    bar.end();
    report.end(account, reading, again);
  } catch (error) {
    bar.end();
    noteStop(account, flags);
    throw error;
  } finally {
    // A failed import must not wait for the rest of stdin.
    input.stop();
  }
  if (account.rejected > 0) throw new Exit(exitCodes.badData);
}

function parseMapping(pairs: readonly string[], { columns, open }: KnownColumns<string>): Map<string, string> {
  const fields = Object.keys(columns).filter((field) => columns[field]?.as !== 'object');
  const allowed = [...fields, ...(open ? [`${open.prefix}NAME`] : [])];
  const mapping = new Map<string, string>();
  for (const pair of pairs) {
    const [field = '', ...rest] = pair.split('=');
    const name = fieldNamed(field.trim().replaceAll('-', '_').toLowerCase(), fields, open);
    const heading = rest.join('=').trim();
    if (name === undefined || heading === '') {
      throw new UsageError(`--map takes FIELD=HEADING with a field of ${allowed.join(', ')}; fix "${pair}".`);
    }
    if (mapping.has(name)) throw new UsageError(`--map names ${name} twice; say once where it comes from.`);
    mapping.set(name, heading);
  }
  return mapping;
}

function fieldNamed(field: string, fields: readonly string[], open: OpenFields | undefined): string | undefined {
  if (!open || !field.startsWith(open.prefix)) return fields.find((one) => one === field);
  const name = open.nameOf(field.slice(open.prefix.length));
  return name === undefined ? undefined : `${open.prefix}${name}`;
}

/** The command line that imports the rejects once they are mended, to be pasted into a shell. */
function secondImport(
  { noun, where }: Pick<ImportedNoun<never, never, never>, 'noun' | 'where'>,
  rejects: string,
  { map = [], leaveOut = [], onConflict, lenient, keepColumns }: ImportFlags,
  format: Format,
): string {
  const mapped = [...map.flatMap((pair) => ['--map', pair]), ...leaveOut.flatMap((one) => ['--leave-out', one])];
  const isOtherwiseNamed = (formatOfName(rejects) ?? format) !== format;
  const words = ['roster', noun, 'import', rejects, ...where, ...mapped];
  if (isOtherwiseNamed) words.push('--format', format);
  if (onConflict !== 'update') words.push('--on-conflict', onConflict);
  if (lenient === true) words.push('--lenient');
  if (keepColumns === true) words.push('--keep-columns');
  return words.map(shellWord).join(' ');
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

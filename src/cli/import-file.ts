import { createReadStream, existsSync, realpathSync, statSync } from 'node:fs';

import { type Command, Option } from 'commander';

import { parseMapping } from '../files/columns.ts';
import { type Format, formatOfName, formats, readRows } from '../files/formats.ts';
import { type Account, importPeople, type Noun } from '../files/import.ts';
import { rejectsFile } from '../files/rejects.ts';
import { conflictPolicies, type ConflictPolicy } from '../imports.ts';
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
    .addOption(new Option('--format <format>', 'what the file holds (default: by its name)').choices(formats))
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

/** Imports the file, prints the account, and throws Exit 65 when a row was refused. */
export async function importFile<Field extends string, Draft extends object, Person>(
  file: string,
  flags: ImportFlags,
  noun: Noun<Field, Draft, Person>,
): Promise<void> {
  const format = flags.format ?? formatOfName(file);
  const mapping = parseMapping(flags.map ?? [], Object.keys(noun.synonyms));
  refuseOwnInput(file, flags.rejects);
  const input = openInput(file);
  const bar = progress(input.size);
  const shown = { refusals: 0 };
  const account: Account = { read: 0, created: 0, updated: 0, unchanged: 0, rejected: 0, rejects_file: null };
  const interrupt = { requested: false };
  const onInterrupt = () => {
    interrupt.requested = true;
  };
  process.once('SIGINT', onInterrupt).once('SIGTERM', onInterrupt);
  using rejects = flags.rejects === undefined ? undefined : rejectsFile(flags.rejects, format ?? 'csv');
  try {
    await importPeople(
      readRows(input.bytes(), format),
      noun,
      {
        policy: flags.onConflict,
        dryRun: flags.dryRun === true,
        mapping,
        strictMapping: format === 'csv',
        rejects,
        onColumns: ({ sources, leftOut }, headings) => {
          for (const [field, places] of sources) {
            note(
              `${field} <- ${places.map((one) => one.map((index) => headings[index]).join(' + ')).join(', else ')}`,
            );
          }
          if (leftOut.length > 0) note(`left out: ${leftOut.join(', ')}`);
        },
        onRefused: (line, reason) => {
          if (++shown.refusals <= refusalsShown) note(`line ${line}: ${reason}`);
        },
        onBatch: ({ read }) => {
          bar.update(read, input.bytesRead());
          if (interrupt.requested) throw new Exit(exitCodes.interrupted);
        },
      },
      account,
    );
  } catch (error) {
    bar.end();
    note(
      `Stopped: ${account.created} created, ${account.updated} updated so far; whole batches are kept, and the import can be run again.`,
    );
    throw error;
  } finally {
    // An import that stops half way must not wait for the rest of its input.
    input.stream.destroy();
    process.off('SIGINT', onInterrupt).off('SIGTERM', onInterrupt);
  }
  bar.end();
  if (shown.refusals > refusalsShown)
    note(
      `and ${shown.refusals - refusalsShown} more rows refused${flags.rejects === undefined ? '; see them all with --rejects FILE' : ''}`,
    );
  if (flags.dryRun === true) note('Dry run: nothing was stored.');
  printResult(account, flags, () => listing(account));
  if (account.rejected > 0) throw new Exit(exitCodes.badData);
}

function openInput(file: string) {
  if (file !== '-') {
    const { size } = statSync(file);
    const stream = createReadStream(file, { highWaterMark: 262_144 });
    return { size, stream, bytes: () => stream, bytesRead: () => stream.bytesRead };
  }
  let read = 0;
  return {
    size: undefined,
    stream: process.stdin,
    bytesRead: () => read,
    bytes: async function* () {
      for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
        read += chunk.byteLength;
        yield chunk;
      }
    },
  };
}

// Mended rejects are imported again, easily with the same --rejects: the rows must not be cut off while they are read.
function refuseOwnInput(file: string, rejects: string | undefined): void {
  if (rejects === undefined || file === '-' || !existsSync(rejects) || !existsSync(file)) return;
  if (realpathSync(file) !== realpathSync(rejects)) return;
  throw new UsageError('--rejects names the file that is imported; name another.');
}

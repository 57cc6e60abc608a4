import { accessSync, constants, createWriteStream, existsSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';

import { type Command, Option } from 'commander';

import { AppError } from '../errors.ts';
import { exportPeople } from '../files/export.ts';
import { type Format, formatOfName, formats } from '../files/formats.ts';
import { interruptible } from './interrupt.ts';
import { note, printResult, UsageError } from './output.ts';
import { jsonOption } from './parts.ts';
import { progress } from './progress.ts';

export interface ExportFlags {
  format?: Format;
  output?: string;
  json?: boolean;
}

/** The options that every export has. */
export function exportOptions(command: Command): Command {
  return command
    .addOption(new Option('--format <format>', 'csv, or by the name of --output').choices(formats))
    .option('--output <file>', 'write to a new file instead of stdout')
    .addOption(jsonOption());
}

/** Writes everybody to stdout (with `--json` as one array) or to a new file (with `--json` saying how many). */
export async function exportFile<Person extends object>(
  pages: AsyncIterable<readonly Person[]>,
  fields: readonly (keyof Person & string)[],
  flags: ExportFlags,
): Promise<void> {
  const { output } = flags;
  const format = formatFor(flags);
  if (output === undefined || output === '-') {
    await pipeline(exportPeople(pages, fields, format), process.stdout, { end: false });
    return;
  }
  const written = await writeNewFile(output, pages, (counted) => exportPeople(counted, fields, format));
  note(`${written === 1 ? '1 person' : `${written} people`} written to ${output}.`);
  if (flags.json === true) printResult({ written, file: output }, flags, () => '');
}

function formatFor({ format, output, json }: ExportFlags): Format {
  if (output === undefined || output === '-') {
    if (json !== true) return format ?? 'csv';
    if (format === undefined || format === 'json') return 'json';
    throw new UsageError(`--json prints one JSON document, not ${format}; leave one of the two out.`);
  }
  const byName = format ?? formatOfName(output);
  if (byName) return byName;
  throw new UsageError(
    'The name of --output does not tell its format; say it with --format csv, ndjson or json.',
  );
}

/** Returns how many people were written. The file gets its name when it is whole, and overwrites no other. */
async function writeNewFile<Person>(
  output: string,
  pages: AsyncIterable<readonly Person[]>,
  toText: (pages: AsyncIterable<readonly Person[]>) => AsyncIterable<string>,
): Promise<number> {
  if (existsSync(output))
    throw new AppError('input_output', `The file exists already; name another: ${output}.`);
  // Else what fails is the file of another name that is written first.
  accessSync(dirname(output), constants.W_OK);
  const unfinished = `${output}.${process.pid}.unfinished`;
  const abort = new AbortController();
  using _ = interruptible((interruption) => abort.abort(interruption));
  const bar = progress(undefined);
  let people = 0;
  const counted = async function* () {
    for await (const page of pages) {
      people += page.length;
      bar.update(people, 0);
      yield page;
    }
  };
  try {
    const { signal } = abort;
    await pipeline(
      toText(counted()),
      createWriteStream(unfinished, { flags: 'wx', mode: 0o600, flush: true }),
      {
        signal,
      },
    );
    renameSync(unfinished, output);
  } catch (error) {
    throw abort.signal.aborted ? abort.signal.reason : error;
  } finally {
    bar.end();
    rmSync(unfinished, { force: true });
  }
  return people;
}

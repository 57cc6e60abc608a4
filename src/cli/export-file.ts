import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { type Command, Option } from 'commander';

import { exportPeople } from '../files/export.ts';
import { type Format, formatOfName, formats } from '../files/formats.ts';
import { note, printResult } from './output.ts';
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
  const toStdout = output === undefined || output === '-';
  const format =
    flags.format ?? (toStdout ? (flags.json === true ? 'json' : 'csv') : formatOfName(output)) ?? 'csv';
  const bar = progress(undefined);
  const counted = { people: 0 };
  const counting = async function* () {
    for await (const page of pages) {
      counted.people += page.length;
      if (!toStdout) bar.update(counted.people, 0);
      yield page;
    }
  };
  const text = Readable.from(exportPeople(counting(), fields, format));
  if (toStdout) {
    await pipeline(text, process.stdout, { end: false });
    return;
  }
  // An older export is not overwritten, and a broken one is not left behind under the name of a whole one.
  await pipeline(text, createWriteStream(output, { flags: 'wx', mode: 0o600 }));
  bar.end();
  note(`${counted.people} people written to ${output}.`);
  if (flags.json === true) printResult({ written: counted.people, file: output }, flags, () => '');
}

import { accessSync, constants, createWriteStream, existsSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';

import type { ExportedContacts } from '../../contacts/export.ts';
import { AppError, withPath } from '../../errors.ts';
import { type Format, formatOfName, formats } from '../../files/formats.ts';
import { exportPeople } from '../../files/writing.ts';
import { giveName } from '../../new-file.ts';
import { printable } from '../../values/printable.ts';
import { UsageError } from '../failures.ts';
import { note, printResult } from '../output.ts';
import { type Flags, option } from '../parts.ts';
import { progress } from '../progress.ts';
import { interruptible } from '../signals.ts';

type ExportFlags = Flags<{ format?: Format; output?: string }>;

export const exportOptions = [
  option('--format <format>', 'csv, or by the name of --output').choices(formats),
  option('--output <file>', 'write to a new file instead of stdout'),
];

/** Writes the people to stdout, with `--json` as one array, or to a new file. Returns their number. */
export async function exportFile(
  flags: ExportFlags,
  open: (format: Format) => ExportedContacts | Promise<ExportedContacts>,
): Promise<number> {
  const { output } = flags;
  const format = formatFor(flags);
  const { pages, fields } = await open(format);
  let written = 0;
  let bar: ReturnType<typeof progress> | undefined;
  const counted = async function* () {
    for await (const page of pages) {
      written += page.length;
      bar?.update(written, 0);
      yield page;
    }
  };
  const text = exportPeople(counted(), fields, format);
  if (output === undefined || output === '-') {
    const isSeen = format === 'csv' && process.stdout.isTTY;
    await pipeline(isSeen ? shownCsv(text) : text, process.stdout, { end: false });
    return written;
  }
  bar = progress(undefined);
  try {
    await writeNewFile(output, text);
  } finally {
    bar.end();
  }
  note(`${written === 1 ? '1 person' : `${written} people`} written to ${output}.`);
  if (flags.json === true) printResult({ written, file: output }, flags, () => '');
  return written;
}

async function* shownCsv(text: AsyncIterable<string>): AsyncGenerator<string> {
  let isChanged = false;
  for await (const piece of text) {
    const shown = printable(piece);
    isChanged ||= shown !== piece;
    yield shown;
  }
  if (isChanged) note('Control characters are shown as ?; --output FILE keeps them.');
}

function formatFor({ format, output, json }: ExportFlags): Format {
  if (output === undefined || output === '-') {
    if (json !== true) return format ?? 'csv';
    if (format === undefined || format === 'json') return 'json';
    throw new UsageError(`--json prints one JSON document, not ${format}; leave one of the two out.`);
  }
  const byName = format ?? formatOfName(output);
  if (byName) return byName;
  throw new UsageError('The name of --output does not tell its format; say it with --format csv, ndjson or json.');
}

/** The file gets its name once it is complete, and replaces no other. */
async function writeNewFile(output: string, text: AsyncIterable<string>): Promise<void> {
  if (existsSync(output)) throw new AppError('input_output', `The file exists already; name another: ${output}.`);
  // Checked here, as a later error would name the unfinished file.
  accessSync(dirname(output), constants.W_OK);
  const unfinished = `${output}.${process.pid}.unfinished`;
  const abort = new AbortController();
  using _ = interruptible((interruption) => abort.abort(interruption));
  try {
    const file = createWriteStream(unfinished, { flags: 'wx', mode: 0o600, flush: true });
    await pipeline(text, file, { signal: abort.signal });
    giveName(unfinished, output);
  } catch (error) {
    throw abort.signal.aborted ? abort.signal.reason : withPath(error, output);
  } finally {
    rmSync(unfinished, { force: true });
  }
}

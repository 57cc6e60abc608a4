import { extname } from 'node:path';

import { AppError } from '../errors.ts';
import { readCsv } from './csv.ts';
import { readJson, readNdjson } from './json.ts';
import type { SourceRow } from './source-row.ts';

export const formats = ['csv', 'ndjson', 'json'] as const;
export type Format = (typeof formats)[number];

/** A file that is being read. */
export interface Source {
  format: Format;
  /** The names of the columns, where they are known before the rows. */
  headings?: readonly string[];
  /** The rows of each chunk of the file, as it is read. */
  rows: AsyncIterable<readonly SourceRow[]>;
}

/** How much of a file is read at once, in bytes. */
export const chunkSize = 65_536;

const byExtension: Record<string, Format> = {
  '.csv': 'csv',
  '.tsv': 'csv',
  '.txt': 'csv',
  '.ndjson': 'ndjson',
  '.jsonl': 'ndjson',
  '.json': 'json',
};

/** The format by the file's name; undefined where the name does not tell. */
export function formatOfName(file: string): Format | undefined {
  return byExtension[extname(file).toLowerCase()];
}

/**
 * Begins to read: finds the format where it is not given, and the headings of CSV.
 * Throws `invalid` where the file as a whole cannot be read, then or while the rows come.
 */
export async function openSource(bytes: AsyncIterable<Uint8Array>, given?: Format): Promise<Source> {
  const chunks = decodeUtf8(bytes);
  const first = await beginning(chunks);
  const text = resumed(first, chunks);
  const format = given ?? sniff(first);
  switch (format) {
    case 'csv':
      return { format, ...(await readCsv(text, first)) };
    case 'ndjson':
      return { format, rows: readNdjson(text) };
    case 'json':
      return { format, rows: readJson(text) };
  }
}

const beginningMax = 65_536;

/** The first line that is not empty, or as much of a long one as format and delimiter can be told by. */
async function beginning(chunks: AsyncIterator<string>): Promise<string> {
  let text = '';
  while (text.length < beginningMax && !/\S[^\n]*\n/.test(text)) {
    const next = await chunks.next();
    if (next.done) break;
    text += next.value;
  }
  return text;
}

function sniff(text: string): Format {
  const start = text.trimStart().charAt(0);
  if (start === '[') return 'json';
  return start === '{' ? 'ndjson' : 'csv';
}

async function* resumed(first: string, rest: AsyncGenerator<string>): AsyncGenerator<string> {
  if (first !== '') yield first;
  yield* rest;
}

// Drops a byte-order mark; splits no character between two chunks.
async function* decodeUtf8(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let known = false;
  for await (const chunk of bytes) {
    if (!known) refuseOtherFiles(chunk);
    known = true;
    const text = decoded(() => decoder.decode(chunk, { stream: true }));
    if (text !== '') yield text;
  }
  decoded(() => decoder.decode());
}

function decoded(decode: () => string): string {
  try {
    return decode();
  } catch (error) {
    throw new AppError(
      'invalid',
      'The file is not UTF-8; save it as "CSV UTF-8", or convert it: iconv -f WINDOWS-1252 -t UTF-8 OLD > NEW.',
      { cause: error },
    );
  }
}

/** Names the formats that are often taken for CSV. */
function refuseOtherFiles([a, b]: Uint8Array): void {
  if (a === 0x50 && b === 0x4b) {
    throw new AppError(
      'invalid',
      'The file is a workbook or an archive, not text; save the sheet as "CSV UTF-8".',
    );
  }
  if ((a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff)) {
    throw new AppError(
      'invalid',
      'The file is UTF-16, not UTF-8; convert it: iconv -f UTF-16 -t UTF-8 OLD > NEW.',
    );
  }
}

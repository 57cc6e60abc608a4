import { AppError } from '../errors.ts';
import { readCsv } from './csv.ts';
import { readJson, readNdjson } from './json.ts';
import type { SourceRow } from './source-row.ts';

export const formats = ['csv', 'ndjson', 'json'] as const;
export type Format = (typeof formats)[number];

export interface Source {
  format: Format;
  /** Set for CSV, where they are known before the rows. */
  headings?: readonly string[];
  rows: AsyncIterable<readonly SourceRow[]>;
}

const beginningMax = 65_536;

const byExtension: Record<string, Format> = {
  '.csv': 'csv',
  '.tsv': 'csv',
  '.txt': 'csv',
  '.ndjson': 'ndjson',
  '.jsonl': 'ndjson',
  '.json': 'json',
};

export function formatOfName(file: string): Format | undefined {
  const [extension = ''] = /(?<=[^/\\])\.[^./\\]+$/.exec(file) ?? [];
  return byExtension[extension.toLowerCase()];
}

/** Detects a format that is not given. Throws `invalid` now or later, where the file cannot be read. */
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

/** Enough text to detect format and delimiter: a line that is not empty, or the start of a long one. */
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
  const start = text.trimStart();
  if (start.startsWith('[') || /^\{\s*\n/.test(start)) return 'json';
  return start.startsWith('{') ? 'ndjson' : 'csv';
}

async function* resumed(first: string, rest: AsyncGenerator<string>): AsyncGenerator<string> {
  if (first !== '') yield first;
  yield* rest;
}

async function* decodeUtf8(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let isFirst = true;
  for await (const chunk of bytes) {
    if (isFirst) rejectBinary(chunk);
    isFirst = false;
    const text = decoded(() => decoder.decode(chunk, { stream: true }));
    if (text !== '') yield text;
  }
  decoded(() => decoder.decode());
}

function decoded(decode: () => string): string {
  try {
    return decode();
  } catch (error) {
    const advice = 'save it as "CSV UTF-8", or convert it: iconv -f WINDOWS-1252 -t UTF-8 OLD > NEW.';
    throw invalid(`not UTF-8; ${advice}`, error);
  }
}

function rejectBinary([a, b]: Uint8Array): void {
  const isZip = a === 0x50 && b === 0x4b;
  const isUtf16 = (a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff);
  if (isZip) throw invalid('a workbook or an archive, not text; save the sheet as "CSV UTF-8".');
  if (isUtf16) throw invalid('UTF-16, not UTF-8; convert it: iconv -f UTF-16 -t UTF-8 OLD > NEW.');
}

function invalid(rest: string, cause?: unknown): AppError {
  return new AppError('invalid', `The file is ${rest}`, { cause });
}

import { readCsv } from './csv.ts';
import { decode } from './encoding.ts';
import { readJson, readNdjson } from './json.ts';
import { rowMaxDefault, type SourceRow } from './source-row.ts';

export const formats = ['csv', 'ndjson', 'json'] as const;
export type Format = (typeof formats)[number];

interface OpeningOptions {
  format?: Format | undefined;
  encoding?: string | undefined;
  rowMax?: number;
  isOwnExport?: (headings: readonly string[]) => boolean;
}

interface OpenedRows {
  format: Format;
  /** Set for CSV, where they are known before the rows. */
  headings?: readonly string[];
  rows: AsyncIterable<readonly SourceRow[]>;
  encoding: () => string;
}

const beginningMax = 65_536;

const extensions: Record<Format, string> = { csv: '.csv .tsv .txt', ndjson: '.ndjson .jsonl', json: '.json' };

export function formatOfName(file: string): Format | undefined {
  const [extension = ''] = /(?<=[^/\\])\.[^./\\]+$/.exec(file) ?? [];
  return formats.find((format) => extensions[format].split(' ').includes(extension.toLowerCase()));
}

/** Throws `invalid`, now or while rows are read, if the file cannot be read. */
export async function openRows(bytes: AsyncIterable<Uint8Array>, options: OpeningOptions = {}): Promise<OpenedRows> {
  const { rowMax = rowMaxDefault, isOwnExport = () => false } = options;
  const { text: chunks, encoding } = decode(bytes, options.encoding);
  const first = await beginning(chunks);
  const text = resumed(first, chunks);
  const format = options.format ?? sniff(first);
  if (format === 'csv') return { format, encoding, ...(await readCsv(text, first, { rowMax, isOwnExport })) };
  return { format, encoding, rows: format === 'json' ? readJson(text, rowMax) : readNdjson(text, rowMax) };
}

async function beginning(chunks: AsyncIterator<string>): Promise<string> {
  let text = '';
  while (text.length < beginningMax && !text.trimStart().includes('\n')) {
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

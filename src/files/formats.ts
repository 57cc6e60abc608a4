import { extname } from 'node:path';

import { AppError } from '../errors.ts';
import { readCsv } from './csv.ts';
import { readJson, readNdjson } from './json.ts';
import type { SourceRow } from './source-row.ts';

export const formats = ['csv', 'ndjson', 'json'] as const;
export type Format = (typeof formats)[number];

const byExtension: Record<string, Format> = {
  '.csv': 'csv',
  '.tsv': 'csv',
  '.txt': 'csv',
  '.ndjson': 'ndjson',
  '.jsonl': 'ndjson',
  '.json': 'json',
};

/** The format that a file's name promises; undefined where it promises nothing. */
export function formatOfName(file: string): Format | undefined {
  return byExtension[extname(file).toLowerCase()];
}

/**
 * The rows of a file as they come, without holding more of it than one row and one chunk.
 * Throws `invalid` where the file as a whole cannot be read on.
 */
export async function* readRows(
  bytes: AsyncIterable<Uint8Array>,
  format: Format | undefined,
): AsyncGenerator<SourceRow> {
  const chunks = decodeUtf8(bytes)[Symbol.asyncIterator]();
  const first = await beginning(chunks);
  const text = resumed(first, chunks);
  switch (format ?? sniff(first)) {
    case 'csv':
      return yield* readCsv(text, first);
    case 'ndjson':
      return yield* readNdjson(text);
    case 'json':
      return yield* readJson(text);
  }
}

const beginningMax = 65_536;

/** The first line, or as much of a long one as format and delimiter can be told by. */
async function beginning(chunks: AsyncIterator<string>): Promise<string> {
  let text = '';
  while (text.length < beginningMax && !text.includes('\n')) {
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

async function* resumed(first: string, rest: AsyncIterator<string>): AsyncGenerator<string> {
  yield first;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}

// Drops a byte-order mark; splits no character between two chunks.
async function* decodeUtf8(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let before = 0;
  try {
    for await (const chunk of bytes) {
      const text = decoder.decode(chunk, { stream: true });
      before += chunk.byteLength;
      if (text !== '') yield text;
    }
    decoder.decode();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new AppError(
      'invalid',
      `The file is not UTF-8 (after byte ${before}); save it as "CSV UTF-8", or convert it: iconv -f WINDOWS-1252 -t UTF-8 OLD > NEW.`,
    );
  }
}

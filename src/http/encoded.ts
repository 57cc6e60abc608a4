import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

import { etagOf, type Exchange, type Sender } from './exchange.ts';
import type { HeaderList } from './headers.ts';
import { isMatch } from './pipeline.ts';

/** Best compression first. */
export const encodings = { br: '.br', gzip: '.gz' } as const;
export type Encoding = keyof typeof encodings;

/** A text in memory, with its compressed forms. */
export interface EncodedFile {
  readonly type: string;
  readonly plain: Buffer;
  readonly encoded: ReadonlyMap<Encoding, Buffer>;
  /** ETag of the uncompressed text. */
  readonly etag: string;
}

export function encodedFile(type: string, plain: Buffer, encoded: ReadonlyMap<Encoding, Buffer>): EncodedFile {
  return { type, plain, encoded, etag: etagOf(plain) };
}

// At the best quality four megabytes would take ten seconds, for a tenth less.
const params = { [constants.BROTLI_PARAM_QUALITY]: 5 };

/** Compresses a text in Node's thread pool. */
export async function compressed(type: string, text: string | Buffer): Promise<EncodedFile> {
  const plain = Buffer.from(text);
  const [br, gz] = await Promise.all([promisify(brotliCompress)(plain, { params }), promisify(gzip)(plain)]);
  return encodedFile(
    type,
    plain,
    new Map([
      ['br', br],
      ['gzip', gz],
    ]),
  );
}

/** Sends the best form that the caller accepts; 304 if the caller has it. */
export function sendEncoded(
  send: Sender['send'],
  exchange: Exchange,
  { type, plain, encoded, etag }: EncodedFile,
  headers: HeaderList = [],
): void {
  const { 'accept-encoding': accepted = '', 'if-none-match': known } = exchange.arrival.request.headers;
  const [encoding, text = plain] =
    [...encoded].find(([name]) => new RegExp(`\\b${name}\\b(?!\\s*;\\s*q=0(?:\\.0*)?\\s*(?:,|$))`).test(accepted)) ??
    [];
  // Each compressed form needs its own tag.
  const tag = encoding === undefined ? etag : etag.replace(/"$/, `-${encoding}"`);
  const common = ['etag', tag, 'vary', 'Accept-Encoding', ...headers];
  if (isMatch(known, tag)) return send(exchange, 304, common);
  const coding = encoding === undefined ? [] : ['content-encoding', encoding];
  const body = { text, bytes: text.length, encoding: 'latin1' } as const;
  send(exchange, 200, ['content-type', type, ...coding, ...common], body);
}

import { extname } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';

import { assetsIn, findAsset, requireAsset } from '../assets.ts';
import { once } from '../values/once.ts';
import type { Exchange } from './exchange.ts';
import { etagOf, type HeaderList, isMatch, jsonType } from './headers.ts';

// Best compression first.
const suffixes = { br: '.br', gzip: '.gz' };

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': jsonType[1] ?? '',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
};

export interface EncodedFile {
  readonly type: string;
  readonly plain: () => Promise<Buffer>;
  readonly encoded: ReadonlyMap<string, Buffer>;
  readonly etag: string;
}

export function readEncoded(name: string): EncodedFile {
  const encoded = new Map<string, Buffer>();
  for (const [coding, suffix] of Object.entries(suffixes)) {
    const form = findAsset(name + suffix);
    if (form) encoded.set(coding, form);
  }
  const asset = findAsset(name);
  const etag = etagOf(asset ?? requireAsset(`${name}.gz`));
  // Large files are shipped only compressed: hardly any client asks for the plain form.
  const plain = once(async () => asset ?? promisify(gunzip)(requireAsset(`${name}.gz`)));
  return { type: types[extname(name)] ?? 'application/octet-stream', plain, encoded, etag };
}

export function readAllEncoded(folder: string): ReadonlyMap<string, EncodedFile> {
  const names = assetsIn(folder).filter((name) => !Object.values(suffixes).includes(extname(name)));
  return new Map(names.map((name) => [name, readEncoded(folder + name)]));
}

export async function sendEncoded(
  exchange: Exchange,
  { type, plain, encoded, etag }: EncodedFile,
  caching: string,
  headers: HeaderList = [],
): Promise<void> {
  exchange.caching = ['cache-control', caching];
  const { 'accept-encoding': accepted = '', 'if-none-match': known } = exchange.arrival.request.headers;
  const [encoding, form] =
    [...encoded].find(([name]) => new RegExp(`\\b${name}\\b(?!\\s*;\\s*q=0(?:\\.0*)?\\s*(?:,|$))`).test(accepted)) ??
    [];
  // Each compressed form needs its own tag.
  const tag = encoding === undefined ? etag : etag.replace(/"$/, `-${encoding}"`);
  const common = ['etag', tag, 'vary', 'Accept-Encoding', ...headers];
  if (isMatch(known, tag)) return exchange.send(304, common);
  const coding = encoding === undefined ? [] : ['content-encoding', encoding];
  exchange.send(200, ['content-type', type, ...coding, ...common], form ?? (await plain()));
}

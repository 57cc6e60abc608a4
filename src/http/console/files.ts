import { readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';

import { once } from '../../values/once.ts';
import { type EncodedFile, encodedFile, type Encoding, encodings, sendEncoded } from '../encoded.ts';
import { HttpError } from '../errors.ts';
import type { Exchange, Sender } from '../exchange.ts';
import type { Page } from '../router.ts';
import { base } from './routes.ts';

// This path is right from src/ and from dist/.
const folder = new URL('../../../dist/console/', import.meta.url);

// Nothing runs, loads or is called but what this host serves.
const contentSecurityPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};
/** One shell for every page, and what it loads, from memory: read once, when the first of them is asked for. */
export function consoleFiles({ send }: Pick<Sender, 'send'>): Page[] {
  const shell = once(async () => read('index.html'));
  const assets = once(async () => new Map(namesIn('assets/').map((name) => [name, read(`assets/${name}`)])));
  const serveShell = async (exchange: Exchange) => {
    exchange.caching = ['cache-control', 'no-cache'];
    const safety = ['content-security-policy', contentSecurityPolicy, 'referrer-policy', 'no-referrer'];
    sendEncoded(send, exchange, await shell(), [...safety, 'cross-origin-opener-policy', 'same-origin']);
  };
  const page = (path: string): Page => ({ path, serve: serveShell });
  return [
    page('/sign-in'),
    page('/join'),
    page('/setup'),
    page('/console'),
    {
      path: '/console/*',
      serve: async (exchange) => {
        if (pathOf(exchange).startsWith(`${base}/`)) throw new HttpError('unknown_path');
        await serveShell(exchange);
      },
    },
    {
      path: '/console/assets/:name',
      serve: async (exchange) => {
        const file = (await assets()).get(pathOf(exchange).slice('/console/assets/'.length));
        if (!file) throw new HttpError('unknown_path');
        // Its name has a digest of its content.
        exchange.caching = ['cache-control', 'public, max-age=31536000, immutable'];
        sendEncoded(send, exchange, file);
      },
    },
  ];
}

function pathOf({ arrival }: Exchange): string {
  return (arrival.request.url ?? '').replace(/\?.*/s, '');
}

function namesIn(place: string): string[] {
  const suffixes: readonly string[] = Object.values(encodings);
  return readdirSync(new URL(place, folder)).filter((name) => !suffixes.includes(extname(name)));
}

function read(name: string): EncodedFile {
  const encoded = new Map<Encoding, Buffer>();
  for (const encoding of ['br', 'gzip'] as const) {
    const bytes = readIfThere(`${name}${encodings[encoding]}`);
    if (bytes) encoded.set(encoding, bytes);
  }
  const plain = readFileSync(new URL(name, folder));
  return encodedFile(types[extname(name)] ?? 'application/octet-stream', plain, encoded);
}

function readIfThere(name: string): Buffer | undefined {
  try {
    return readFileSync(new URL(name, folder));
  } catch {
    return undefined;
  }
}

import type { Input, Operation } from './operation.ts';
import type { ChangeOptions, Settings } from './options.ts';

const inQuery = new Set(['include', 'keep_keys', 'dry_run']);

export interface Prepared {
  readonly url: string;
  readonly headers: Headers;
  readonly body: string | undefined;
}

/** The request that all attempts send, without the API key. Throws a TypeError if an id is missing. */
export function prepare(
  { address, isChatling }: Pick<Settings, 'address' | 'isChatling'>,
  { method, path, repeats }: Operation,
  input: Input,
  { ifMatch, idempotencyKey = randomKey() }: ChangeOptions,
): Prepared {
  const inPath = new Set<string>();
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    inPath.add(name);
    return segmentOf(name, input[name]);
  });
  const hasBody = method === 'POST' || method === 'PATCH';
  const query = new URLSearchParams();
  const members: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(input)) {
    if (inPath.has(name) || value === undefined) continue;
    if (hasBody && !inQuery.has(name)) members[name] = value;
    // URLSearchParams turns a list into text with commas.
    else query.set(name, value as string);
  }
  const body = hasBody && Object.keys(members).length > 0 ? JSON.stringify(members) : undefined;
  const isKeyed = repeats === 'keyed' && !isChatling;
  const headers = new Headers({ accept: 'application/json' });
  if (body !== undefined) headers.set('content-type', 'application/json');
  if (ifMatch !== undefined) headers.set('if-match', ifMatch);
  if (isKeyed) headers.set('idempotency-key', idempotencyKey);
  const search = query.toString();
  return { url: `${address}${filled}${search === '' ? '' : `?${search}`}`, headers, body };
}

// "." and ".." would change the path to that of another operation.
function segmentOf(name: string, value: unknown): string {
  if (typeof value !== 'string' || /^\.{0,2}$/.test(value)) throw new TypeError(`${name} must be an id`);
  return encodeURIComponent(value);
}

// Pages loaded over plain HTTP have no crypto.randomUUID.
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

import type { Input, Operation } from './operation.ts';
import type { ChangeOptions, KeyedOptions, Settings } from './options.ts';

export interface Prepared {
  readonly url: string;
  readonly headers: Headers;
  readonly body: string | undefined;
}

/** The request that all attempts send, but for the key of the caller. Throws a TypeError where an id is missing. */
export function prepare(
  { address, isChatling }: Settings,
  { method, path, repeats }: Operation,
  input: Input,
  { ifMatch, idempotencyKey = randomKey() }: ChangeOptions & KeyedOptions,
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
    if (hasBody && name !== 'include') members[name] = value;
    // It makes a text of any value, with commas between the items of a list.
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

// "." and ".." would lead to the path of another operation.
function segmentOf(name: string, value: unknown): string {
  if (typeof value !== 'string' || /^\.{0,2}$/.test(value)) throw new TypeError(`${name} must be an id`);
  return encodeURIComponent(value);
}

// crypto.randomUUID is missing on pages that came over plain HTTP.
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

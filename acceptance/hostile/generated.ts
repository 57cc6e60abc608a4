import * as fc from 'fast-check';

import { lines } from './request-case.ts';

/** A request that was made up, with the one right answer to it. */
export interface Generated {
  bytes: Buffer;
  status: number;
  ends: boolean;
}

interface Made {
  target: string;
  fields: readonly (readonly [name: string, value: string])[];
}

export interface Served {
  host: string;
  token: string;
  /** Paths of contacts that there are. */
  contacts: readonly string[];
}

const unreserved = Array.from('abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~');
const visible = Array.from({ length: 94 }, (_, index) => String.fromCharCode(33 + index)).filter(
  (character) => !'#%?/'.includes(character),
);
const hex = Array.from('0123456789abcdefABCDEF');
const escape = fc.tuple(fc.constantFrom(...hex), fc.constantFrom(...hex)).map(([a, b]) => `%${a}${b}`);
const text = (max: number) =>
  fc
    .array(
      fc.oneof(
        { weight: 6, arbitrary: fc.constantFrom(...unreserved) },
        { weight: 2, arbitrary: fc.constantFrom(...visible) },
        { weight: 1, arbitrary: escape },
        { weight: 1, arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 2 }).map(encoded) },
      ),
      { maxLength: max },
    )
    .map((parts) => parts.join(''));

const value = fc.oneof(
  text(12),
  fc.nat(1_200).map(String),
  fc.constantFrom('', '0', '+1', '1e3', '-1', '%31', 'Active', 'Pending', 'active', 'Owner', '%', '%2', '%zz'),
);
const parameter = fc.oneof(
  fc
    .tuple(fc.constantFrom('page', 'per_page', 'status', 'role', 'email', 'p%61ge'), value)
    .map((pair) => pair.join('=')),
  fc.tuple(text(6), value).map((pair) => pair.join('=')),
);
const query = fc
  .option(fc.array(parameter, { maxLength: 4 }))
  .map((parameters) => (parameters ? `?${parameters.join('&')}` : ''));

function targets({ contacts }: Served) {
  // Of somebody else's instance nothing is known, and nothing guessed.
  const ids = contacts.flatMap((path) => path.split('/').slice(3));
  const id = ids.length === 0 ? text(20) : fc.oneof(text(20), fc.constantFrom(...ids));
  const path = fc.oneof(
    fc.constant('/v2/members'),
    fc.constantFrom('/livez', '/readyz', ...contacts),
    // Without an id it would be the list.
    fc
      .tuple(
        id,
        id.filter((one) => one !== ''),
      )
      .map(([chatbot, contact]) => `/v2/chatbots/${chatbot}/contacts/${contact}`),
    fc.array(text(10), { maxLength: 6 }).map((parts) => `/${parts.join('/')}`),
    text(10).map((part) => `/v2/members/${part}`),
  );
  const fragmented = fc.tuple(path, fc.constantFrom('', '', '', '', '', '', '', '#a'));
  return fc.tuple(fragmented, query).map(([[start, fragment], rest]) => `${start}${rest}${fragment}`);
}

const token = [...Array.from("!#$%&'*+-.^_`|~"), ...unreserved.filter((character) => /\w/.test(character))];
const name = fc
  .array(fc.constantFrom(...token), { minLength: 1, maxLength: 20 })
  .map((characters) => `x-${characters.join('')}`);
const known = fc.constantFrom(
  'Accept',
  'Accept-Encoding',
  'Cookie',
  'Forwarded',
  'From',
  'If-Match',
  'If-Modified-Since',
  'Keep-Alive',
  'Max-Forwards',
  'Origin',
  'Proxy-Authorization',
  'Range',
  'Referer',
  'TE',
  'Trailer',
  'Upgrade',
  'User-Agent',
  'Via',
  'X-Forwarded-For',
  'X-Forwarded-Host',
  'X-HTTP-Method-Override',
  'X-Request-Id',
  '__proto__',
);
const bytes = (min: number, max: number) =>
  fc.array(fc.integer({ min, max }), { maxLength: 30 }).map((codes) => String.fromCharCode(...codes));
const fieldValue = fc
  .oneof(
    { weight: 8, arbitrary: bytes(32, 126) },
    { weight: 2, arbitrary: bytes(128, 255) },
    { weight: 1, arbitrary: bytes(0, 255) },
  )
  // It would be the next header.
  .filter((characters) => !characters.includes('\r\n'));

/** Paths, queries and headers of any kind, with what HTTP and our interface say to them. */
export function generatedRequests(served: Served): fc.Arbitrary<Generated> {
  const fields = fc.array(fc.tuple(fc.oneof(name, known), fieldValue), { maxLength: 6 });
  return fc.record({ target: targets(served), fields }).map((made) => judged(made, served));
}

function judged({ target, fields }: Made, { host, token: key, contacts }: Served): Generated {
  const given = fields.map(([field, content]) => `${field}: ${content}`);
  const all = [`Host: ${host}`, ...given, `Authorization: Bearer ${key}`];
  const isBroken = fields.some(([, content]) => /[^\t\x20-\x7e\x80-\xff]/.test(content)) || target.includes('#');
  const status = isBroken ? 400 : statusOf(target, contacts);
  return { bytes: Buffer.from(lines(`GET ${target} HTTP/1.1`, all), 'latin1'), status, ends: status === 400 };
}

function statusOf(target: string, contacts: readonly string[]): number {
  if (decoded(target) === undefined) return 400;
  const [path = '', ...rest] = target.split('?');
  const named = decoded(path.replace(/(?<=[^/])\/$/, ''));
  if (named === '/') return 302;
  if (named === '/v2/members') return statusOfMembers(rest.join('?'));
  return [...contacts, '/livez', '/readyz'].some((one) => one === named) ? 200 : 404;
}

function statusOfMembers(search: string): number {
  const parameters = new URLSearchParams(search);
  const allowed: Readonly<Record<string, RegExp>> = {
    page: /^[1-9]\d{0,14}$/,
    per_page: /^([1-9]\d?|100)$/,
    status: /^(Active|Pending)$/i,
    role: /^(Owner|Admin|Editor|Analyst|Agent|Billing|Viewer)$/i,
    email: /^[^\0]+$/s,
  };
  const isRight = Object.entries(allowed).every(([parameter, form]) => {
    const [first, ...others] = parameters.getAll(parameter);
    return first === undefined || (others.length === 0 && form.test(first));
  });
  return isRight ? 200 : 422;
}

function decoded(target: string): string | undefined {
  try {
    return decodeURI(target);
  } catch {
    return undefined;
  }
}

function encoded(characters: string): string {
  return encodeURIComponent(characters.toWellFormed());
}

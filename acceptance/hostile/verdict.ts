import { failure, type FailureCode, failureCodes, type FieldFailure, messagesOf } from '../parts/failure-bodies.ts';
import type { WireAnswer } from './wire.ts';

/** The headers of all answers. */
const expected: Readonly<Record<string, RegExp>> = {
  'cache-control': /^private, no-store$/,
  vary: /^Authorization$/,
  'x-content-type-options': /^nosniff$/,
  'x-request-id': /^[A-Za-z0-9._-]{1,128}$/,
  date: /^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/,
};

/** Those that some have; no other is right. */
const others: Readonly<Record<string, RegExp>> = {
  'content-type': /^application\/json; charset=utf-8$/,
  'content-length': /^\d+$/,
  connection: /^(close|keep-alive)$/,
  'keep-alive': /^timeout=\d+$/,
  etag: /^"[\w+/=.-]+"$/,
  allow: /^GET, HEAD(, POST, PATCH, DELETE)?$/,
  location: /^\/docs$/,
  'retry-after': /^\d+$/,
  'x-ratelimit-limit': /^\d+$/,
  'x-ratelimit-remaining': /^\d+$/,
  'x-ratelimit-reset': /^\d+$/,
  'www-authenticate': /^Bearer realm="roster"(, error="invalid_token")?$/,
};

const fields =
  'page|per_page|status|role|email|query|sort|limit|cursor|tag|created_after|created_before|unknown_member';
const codes = 'type|unknown|required|too_short|too_small|too_large|too_long|too_many|not_allowed|format';
const sentences =
  'must (?:be|have|not be) [^"]+|is not known(?:; did you mean \\w+\\?|; allowed: [a-z_, ]+)?|has more than 10 words|has a word of more than 64 characters';
const errorEntry = new RegExp(`^\\{"field":"(${fields})","code":"(${codes})","message":"(${sentences})"\\}$`);

const aboutBody =
  /^\{"status":"error","message":"The request body (?:is not JSON; the first mistake is at byte \d+|is not UTF-8|must be a JSON object|is nested deeper than 64 levels)","code":"malformed_request","request_id":"[\w.-]+"\}$/;

/** What is wrong with an answer, whatever was asked; '' for nothing. Only a GET succeeds, with `data`. */
export function flawOf({ status, headers, body, flaw }: WireAnswer, isHead = false): string {
  if (flaw !== '') return flaw;
  if (status === 100) return body === '' ? '' : 'an interim answer with a body';
  if (status >= 500) return 'a failure of the server';
  const odd = oddHeader(headers);
  if (odd !== '') return `the header ${odd}`;
  if (isHead || status === 304) return body === '' ? '' : 'a body where none may be';
  if (headers['content-type'] === undefined) return 'no content type';
  if (headers['content-length'] !== String(Buffer.byteLength(body))) return 'another length than its body';
  return isEnveloped(status, headers, body) ? '' : 'outside the envelope';
}

function oddHeader(headers: WireAnswer['headers']): string {
  const missing = Object.keys(expected).find((name) => headers[name] === undefined);
  if (missing !== undefined) return `${missing} is missing`;
  const odd = Object.entries(headers).find(([name, value]) => !(expected[name] ?? others[name])?.test(value));
  return odd === undefined ? '' : `${odd[0]}: ${odd[1]}`;
}

function isEnveloped(status: number, headers: WireAnswer['headers'], body: string): boolean {
  if (status === 200 || status === 302) return /^\{"status":"success","data":\{.*\}\}$/s.test(body) && isJson(body);
  return failureCodes(status).some((code) => isFailure(code, headers, body));
}

/** Where every body is one of ours, none repeats what came or tells what is inside. */
function isFailure(code: FailureCode, headers: WireAnswer['headers'], body: string): boolean {
  const id = headers['x-request-id'] ?? '';
  const { status } = failure(code, id);
  if (code === 'malformed_request' && aboutBody.test(body)) return isJson(body);
  if (status !== 422)
    return messagesOf(code, headers['allow']).some((one) => body === failure(code, id, undefined, one).body);
  const [, list = '[]'] = /,"errors":(\[.*\])\}$/s.exec(body) ?? [];
  if (!isJson(list) || body !== failure(code, id, JSON.parse(list) as FieldFailure[]).body) return false;
  return list
    .slice(1, -1)
    .split(/(?<=\}),/)
    .every((entry) => errorEntry.test(entry));
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

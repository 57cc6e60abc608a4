import { once } from 'node:events';
import * as http from 'node:http';
import * as https from 'node:https';

import { isTooDeep } from '../values/json-text.ts';
import { SourceError } from './source-error.ts';

/** The result of one request. `again`: retry it; `after`: the wait that the source asks for. */
export type Answer =
  | { kind: 'data'; data: unknown }
  | { kind: 'missing' }
  | { kind: 'again'; why: Why; after?: number | undefined };

export type Why = 'limited' | 'failing' | 'broken' | 'silent' | 'lost';

/** A page of the largest contacts takes 2 MB. */
const bytesMax = 16 * 1024 * 1024;

/**
 * Asks the source once; `fetch` takes a third more memory. Follows no redirect, so the key stays with the host. Throws
 * connection errors, and `unavailable` for an answer that no retry can change, unless the path is optional.
 */
export async function ask(url: string, key: string, signal: AbortSignal, isOptional: boolean): Promise<Answer> {
  const { request: open } = url.startsWith('https:') ? https : http;
  const headers = { authorization: `Bearer ${key}`, accept: 'application/json', 'user-agent': 'roster' };
  const request = open(url, { headers, signal });
  const answered = once(request, 'response') as Promise<[http.IncomingMessage]>;
  // A later error also fails the read of the body.
  request.on('error', () => undefined).end();
  const [response] = await answered;
  return readAnswer(response, isOptional);
}

async function readAnswer(response: http.IncomingMessage, isOptional: boolean): Promise<Answer> {
  const { statusCode: status = 0 } = response;
  const isMissing = status === 404 || status === 410;
  // An unread answer keeps its connection, and with it the process.
  if (status !== 200 && (isOptional || !isMissing)) response.destroy();
  const after = retryAfter(response.headers['retry-after']);
  if (status === 429) return { kind: 'again', why: 'limited', after };
  if (status >= 500 || status === 408) return { kind: 'again', why: 'failing', after };
  if (isOptional && status !== 200) return { kind: 'missing' };
  if (status === 401 || status === 403) throw new SourceError(refused[status]);
  if (status >= 300 && status < 400) throw new SourceError(redirected);
  if (status !== 200 && !isMissing) {
    throw new SourceError(`The source answers ${status} instead of a list; check that --base-url is that of API v2`);
  }
  const answer = parsed(await textOf(response));
  // The 404 of a proxy does not mean that a contact is deleted.
  if (typeof answer !== 'object' || answer === null || !('status' in answer)) return { kind: 'again', why: 'broken' };
  if (isMissing) return { kind: 'missing' };
  const isData = answer.status === 'success' && 'data' in answer;
  return isData ? { kind: 'data', data: answer.data } : { kind: 'again', why: 'broken' };
}

const refused = {
  401: 'The source refuses the key; check the file of --key-file, or make another key there',
  403: 'The key may not read everything at the source; use a key that may read the project, chatbots, contacts and members',
};
const redirected = 'The source redirects; give its final address with --base-url';

async function textOf(response: http.IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > bytesMax) return '';
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parsed(text: string): unknown {
  try {
    return isTooDeep(text) ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

const waitMaxMs = 3_600_000;

/** Milliseconds of a Retry-After, in seconds or as a date. */
function retryAfter(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), waitMaxMs);
}

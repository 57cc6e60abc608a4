import { AppError } from '../errors.ts';
import { isObject, parsedJson } from '../values/json-text.ts';
import type { Raw } from './reading.ts';

export class SourceError extends AppError {
  constructor(message: string, options: ErrorOptions = {}) {
    super('unavailable', message, options);
  }
}

/** `text` is undefined where it is too long to be read. */
type Answer = { status: number; text: string | undefined };

export interface Requests {
  readonly counts: { readonly requests: number; readonly waitedMs: number };
  /** `read` returns undefined for a broken answer, and throws for one that no retry can change. */
  send<T>(
    request: { url: string; headers: Readonly<Record<string, string>> },
    read: (answer: Answer) => T | undefined,
    triesWhileBroken?: number,
  ): Promise<{ value: T } | { why: keyof typeof failures }>;
}

export interface SourceOptions {
  requests: Requests;
  /** Without a final slash. */
  baseUrl: string;
  key: string;
}

const triesOfOptional = 3;

/** Reads data of API v2; undefined where there is none. Data that `read` refuses is asked for again. Throws `unavailable`. */
export function openGet({ requests, baseUrl, key }: SourceOptions) {
  const headers = { authorization: `Bearer ${key}`, accept: 'application/json', 'user-agent': 'roster' };
  return async <T>(
    path: string,
    query: Readonly<Record<string, string>>,
    read: (data: Raw) => T | undefined,
    isOptional = false,
  ): Promise<T | undefined> => {
    const url = `${baseUrl}/${path}?${new URLSearchParams(query).toString()}`.replace(/\?$/, '');
    const readAnswer = (answer: Answer) => {
      const data = isOptional && answer.status !== 200 ? null : dataIn(answer);
      return data && read(data);
    };
    const sent = await requests.send({ url, headers }, readAnswer, isOptional ? triesOfOptional : undefined);
    if ('value' in sent) return sent.value ?? undefined;
    if (isOptional && sent.why === 'broken') return undefined;
    throw new SourceError(failures[sent.why]);
  };
}

/** Null for something that is gone, undefined for a broken answer. */
function dataIn({ status, text = '' }: Answer): Raw | null | undefined {
  const isMissing = status === 404 || status === 410;
  if (status === 401 || status === 403) throw new SourceError(refused[status]);
  if (status >= 300 && status < 400) throw new SourceError(redirected);
  if (status !== 200 && !isMissing) {
    throw new SourceError(`The source answers ${status} instead of a list; check that --base-url is that of API v2`);
  }
  const answer = parsedJson(text);
  // The 404 of a proxy does not mean that a contact is deleted.
  if (!isObject(answer) || !('status' in answer)) return undefined;
  if (isMissing) return null;
  return answer.status === 'success' && 'data' in answer && isObject(answer.data) ? { ...answer.data } : undefined;
}

const refused = {
  401: 'The source refuses the key; check the file of --key-file, or make another key there',
  403: 'The key may not read everything at the source; use a key that may read the project, chatbots, contacts and members',
};
const redirected = 'The source redirects; give its final address with --base-url';
const failures = {
  limited: 'The source keeps limiting the rate; try again later, or use a separate key',
  failing: 'The source keeps failing; try again later',
  broken: 'The answers of the source are not those of API v2; check --base-url, or try again later',
  silent: 'The source did not answer in time; check the network, or try again later',
  lost: 'The source cannot be reached; check --base-url and the network',
};

import type { Ran } from '../operation.ts';
import type { Exchange } from './exchange.ts';
import { jsonType } from './headers.ts';
import { bodyOf, etagOf, isMatch, successText } from './representation.ts';
import type { Params, Route } from './routes.ts';

/** Answers with what was read; 304 if the caller has it. */
export async function sendRead(exchange: Exchange, { output, revision }: Ran<unknown>): Promise<void> {
  const text = successText(output);
  const etag = etagOf(text, revision);
  // In a step of its own: the answers of a turn are all found, then all written, which takes a tenth less.
  await Promise.resolve();
  const { method, headers } = exchange.arrival.request;
  if (method !== 'POST' && isMatch(headers['if-none-match'], etag)) exchange.send(304, ['etag', etag]);
  else exchange.send(200, [...jsonType, 'etag', etag], bodyOf(text));
}

export function sendWritten(
  exchange: Exchange,
  { status, creates, isCreated }: Route,
  params: Params,
  { output, revision, replayed }: Ran<unknown>,
): void {
  const text = successText(output);
  const headers = [...jsonType];
  if (replayed) headers.push('idempotent-replayed', 'true');
  if (revision !== undefined) headers.push('etag', etagOf(text, revision));
  if (creates !== undefined && output && isCreated === undefined)
    headers.push('location', locationOf(creates, { ...params, ...output }));
  const isNew = isCreated?.(output as never) ?? true;
  exchange.send(isNew ? status : 200, headers, bodyOf(text));
}

function locationOf(path: string, values: Readonly<Record<string, unknown>>): string {
  return path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(values[name])));
}

import { shellWord } from '../../src/values/shell-word.ts';

/** A request of the interface; its path begins after `/v2`. */
export interface Request {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  path: string;
  query?: Readonly<Record<string, string>>;
  body?: object;
}

/** The request as a line for a shell. The key is in `$ROSTER_KEY`, so that no history of a shell has it. */
export function curlFor({ method, path, query, body }: Request): string {
  const search = query === undefined ? '' : `?${new URLSearchParams(query)}`;
  const address = shellWord(`${location.origin}/v2${path}${search}`);
  const lines = [
    method === 'GET' || (method === 'POST' && body !== undefined) ? `curl ${address}` : `curl -X ${method} ${address}`,
    '-H "Authorization: Bearer $ROSTER_KEY"',
    ...(body === undefined ? [] : ["-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(body))}`]),
  ];
  return lines.join(' \\\n  ');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

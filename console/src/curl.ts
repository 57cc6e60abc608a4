import { operations } from '@roster/client/generated/operations.ts';
import { prepare } from '@roster/client/request.ts';

import { shellWord } from '../../src/values/shell-word.ts';

/** The request of an operation as a line for a shell. The key is in `$ROSTER_KEY`, so that no history of a shell has it. */
export function curlFor(name: keyof typeof operations, input: object): string {
  const { [name]: operation } = operations;
  const { method } = operation;
  const { url, body } = prepare({ address: location.origin, isChatling: false }, operation, { ...input }, {});
  const isPlain = method === 'GET' || (method === 'POST' && body !== undefined);
  const lines = [
    isPlain ? `curl ${shellWord(url)}` : `curl -X ${method} ${shellWord(url)}`,
    '-H "Authorization: Bearer $ROSTER_KEY"',
    ...(body === undefined ? [] : ["-H 'Content-Type: application/json'", `-d ${quoted(body)}`]),
  ];
  return lines.join(' \\\n  ');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

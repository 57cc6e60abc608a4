/** A call of the HTTP interface as it is typed in a shell; the key stays in a variable. */
export function curlLine(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown): string {
  const words = ['curl', ...(method === 'GET' || (method === 'POST' && body !== undefined) ? [] : ['-X', method])];
  const lines = [[...words, quoted(`${location.origin}${path}`)].join(' '), '-H "Authorization: Bearer $ROSTER_KEY"'];
  if (body !== undefined) lines.push(`--json ${quoted(JSON.stringify(body))}`);
  return lines.join(' \\\n  ');
}

function quoted(text: string): string {
  if (/^[\w./:-]+$/.test(text)) return text;
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

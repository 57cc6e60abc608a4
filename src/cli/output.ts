import { printable, printableJson } from '../values/printable.ts';

const tokens = /\brst_[0-9A-Za-z]{36}\b/g;

/** The text as a terminal may have it, without a token that was given in the wrong place. */
export function harmless(text: string): string {
  return printable(text).replaceAll(tokens, 'rst_…');
}

export function isLively(stream: NodeJS.WriteStream): boolean {
  return stream.isTTY && (process.env['NO_COLOR'] ?? '') === '';
}

export function note(text: string): void {
  process.stderr.write(`${harmless(text)}\n`);
}

export function noteUnlessJson({ json }: { json?: boolean }, text: string): void {
  if (json !== true) note(text);
}

export function noteNext(option: string, output: { next_cursor?: string | null }, given: { json?: boolean }): void {
  if (output.next_cursor) noteUnlessJson(given, `next: ${option} ${output.next_cursor}`);
}

/** Prints JSON with `--json`, else the text or the value line by line. `ifLost` is noted where stdout fails. */
export function printResult(
  value: object,
  { json }: { json?: boolean },
  text = () => listing(value),
  ifLost?: string,
): void {
  if (ifLost !== undefined) process.stdout.once('error', () => note(ifLost));
  const result = json === true ? jsonOf(value, process.stdout.isTTY ? 2 : 0) : printable(text());
  process.stdout.write(`${result}\n`);
}

export function jsonOf(value: unknown, indent = 0): string {
  return printableJson(JSON.stringify(value, null, indent));
}

export function cellText(value: unknown): string {
  if (value === null || value === undefined || (Array.isArray(value) && value.length === 0)) return '-';
  const text = Array.isArray(value) ? value.join(', ') : typeof value === 'string' ? value : JSON.stringify(value);
  return printable(text).replaceAll('\n', '?');
}

export function listing(value: object): string {
  const entries = Object.entries(value);
  const width = Math.max(...entries.map(([name]) => name.length)) + 1;
  return entries.map(([name, one]) => `${`${name}:`.padEnd(width)} ${cellText(one)}`).join('\n');
}

export function either(words: readonly string[]): string {
  return new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(words);
}

export function counted(number: number, one: string, many: string): string {
  return `${number} ${number === 1 ? one : many}`;
}

/** A time and its age. */
export function age(time: string | null, now = Date.now()): string {
  if (time === null) return 'unknown';
  const minutes = Math.max(0, Math.floor((now - Date.parse(time)) / 60_000));
  const [hours, days] = [Math.floor(minutes / 60), Math.floor(minutes / 1_440)];
  if (days > 0) return `${time} (${counted(days, 'day', 'days')} ago)`;
  return `${time} (${hours > 0 ? counted(hours, 'hour', 'hours') : counted(minutes, 'minute', 'minutes')} ago)`;
}

import { readFileSync, writeFileSync } from 'node:fs';

import { roles } from '../src/members/member.ts';
import { rightsOf } from '../src/sign-in/session.ts';
import { classes, type Part, type Reader } from './privacy/classes.ts';
import { endAtRestore, register } from './privacy/register.ts';

/** Writes the tables of docs/privacy.md from the register; with --check only says whether they are current. */
const file = new URL('../docs/privacy.md', import.meta.url);
const before = readFileSync(file, 'utf8');
const place = /(<!-- register -->).*?(<!-- end -->)/s;
if (!place.test(before)) throw new Error('docs/privacy.md has no place for the register');
const after = before.replace(place, (_all, start: string, end: string) => `${start}\n\n${tables()}\n\n${end}`);
if (!process.argv.includes('--check')) {
  writeFileSync(file, after);
} else if (after !== before) {
  console.error('docs/privacy.md is stale; run: npm run privacy');
  process.exitCode = 1;
}

function tables(): string {
  const meanings = Object.entries(classes).map(([name, meaning]) => [name, meaning]);
  const parts = register.flatMap(({ name, parts: all }) =>
    all.map((part) => [
      `\`${name}\``,
      columnsOf(part),
      part.holds,
      part.kept,
      readerOf(part.readBy),
      endAtRestore.includes(name) ? 'yes; a restore removes it' : 'yes',
    ]),
  );
  const headings = ['Table', 'Columns', 'Class', 'Kept', 'Shown to', 'In a backup'];
  return [aligned([['Class', 'Is'], ...meanings]), aligned([headings, ...parts])].join('\n\n');
}

function columnsOf({ columns, engine }: Part): string {
  const names = columns.map((name) => `\`${name}\``).join(' ');
  return engine ? `${names} (${engine === 'sqlite' ? 'SQLite' : 'PostgreSQL'})` : names;
}

function readerOf(reader: Reader): string {
  if (reader === 'nobody') return 'nobody';
  if (reader === 'self') return 'the member';
  const held = roles.filter((role) => rightsOf({ roles: [role] }).includes(reader)).join(', ');
  return reader === 'administration' ? held : `\`${reader}\`; ${held}`;
}

/** A table of Markdown, as oxfmt writes it. */
function aligned(rows: readonly string[][]): string {
  const widths = rows[0]?.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0))) ?? [];
  const [head = [], ...body] = rows;
  return [head, widths.map((width) => '-'.repeat(width)), ...body]
    .map((row) => `| ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`)
    .join('\n');
}

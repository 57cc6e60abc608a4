import { readFileSync } from 'node:fs';

import { roles } from '../src/members/member.ts';
import { rightsOf } from '../src/sign-in/session.ts';
import { classes, type Part, type Reader } from './privacy/classes.ts';
import { endAtRestore, register, values } from './privacy/register.ts';
import { writeGenerated } from './support/generated.ts';

/** The tables of docs/privacy.md are made of the register. */
const before = readFileSync(new URL('../docs/privacy.md', import.meta.url), 'utf8');
const place = /(<!-- register -->).*?(<!-- end -->)/s;
if (!place.test(before)) throw new Error('docs/privacy.md has no place for the register');
const after = before.replace(place, (_all, start: string, end: string) => `${start}\n\n${tables()}\n\n${end}`);
writeGenerated('docs/privacy.md', after, 'npm run privacy');

function tables(): string {
  const legend = [
    ...Object.entries(classes).map(([name, meaning]) => `- **${name}**: ${meaning}.`),
    `- **values** are the columns ${columnsOf(values)}.`,
  ];
  const times = [...new Set(register.flatMap(({ parts }) => parts.map(({ kept }) => kept)))];
  return [legend.join('\n'), ...times.map((kept) => `${kept}:\n\n${tablesKept(kept)}`)].join('\n\n');
}

/** The tables with the columns that are kept so long. */
function tablesKept(kept: string): string {
  return register
    .map(({ name, parts }) => ({ name, parts: parts.filter((part) => part.kept === kept) }))
    .filter(({ parts }) => parts.length > 0)
    .map(({ name, parts }) => {
      const atRestore = endAtRestore.includes(name) ? '; a restore removes it' : '';
      return [`- \`${name}\`${atRestore}`, ...parts.map((part) => `  - ${lineOf(part)}`)].join('\n');
    })
    .join('\n');
}

/** One class of columns, with whoever may read it; nothing where nobody may. */
function lineOf(part: Part): string {
  const reader = readerOf(part.readBy);
  const engine = part.engine ? ` (${part.engine === 'sqlite' ? 'SQLite' : 'PostgreSQL'})` : '';
  const columns = columnsOf(part.columns) === columnsOf(values) ? 'values' : columnsOf(part.columns);
  return `${part.holds}${reader && `, ${reader}`}: ${columns}${engine}`;
}

function columnsOf(columns: readonly string[]): string {
  return columns.map((name) => `\`${name}\``).join(' ');
}

function readerOf(reader: Reader): string {
  if (reader === 'nobody') return '';
  if (reader === 'self') return 'the member';
  return reader === 'administration' ? holdersOf(reader) : `\`${reader}\``;
}

function holdersOf(right: Exclude<Reader, 'self' | 'nobody'>): string {
  return roles.filter((role) => rightsOf({ roles: [role] }).includes(right)).join(', ');
}

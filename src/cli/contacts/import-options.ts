import { InvalidArgumentError } from 'commander';

import { encodingNamed } from '../../files/encoding.ts';
import { type Format, formats } from '../../files/formats.ts';
import { conflictPolicies, type ConflictPolicy } from '../../imports.ts';
import { type Flags, option, repeated } from '../parts.ts';

export type ImportFlags = Flags<{
  file: string;
  format?: Format;
  encoding?: string;
  map?: string[];
  leaveOut?: string[];
  onConflict: ConflictPolicy;
  dryRun?: boolean;
  rejects?: string;
  lenient?: boolean;
  keepColumns?: boolean;
}>;

export const importArguments = { '<file>': 'CSV, NDJSON or a JSON array; - is stdin' };

export const importOptions = [
  option('--format <format>', 'what the file holds (default: by its name or its beginning)').choices(formats),
  option(
    '--encoding <name>',
    'how its text is encoded, such as windows-1252, iso-8859-15 or utf-16le (default: detected)',
  ).argParser(parseEncoding),
  repeated(
    '--map <field=heading>',
    'take a field from this column, or from several: name={First} {Last}; may be repeated',
  ),
  repeated('--leave-out <heading>', 'take nothing from this column; may be repeated'),
  option('--on-conflict <policy>', 'what to do with a row that would change somebody')
    .choices(conflictPolicies)
    .default('update'),
  option('--lenient', 'leave out a value that is bad and not needed, instead of rejecting its row'),
  option('--dry-run', 'say what would happen, show the first three people, and store nothing'),
  option('--rejects <file>', 'write rejected rows here, as they were, with line and reason'),
];

function parseEncoding(label: string): string {
  const name = encodingNamed(label);
  if (name !== undefined) return name;
  throw new InvalidArgumentError('No such encoding is known; use one such as utf-8, windows-1252 or utf-16le.');
}

import { type Format, formatOfName } from '../../files/formats.ts';
import { shellWord } from '../../values/shell-word.ts';
import type { ImportFlags } from './import-file.ts';

/** The command line that imports the rejects once they are mended, to be pasted into a shell. */
export function secondImport(
  command: readonly string[],
  rejects: string,
  { map = [], leaveOut = [], onConflict, lenient, keepColumns }: ImportFlags,
  format: Format,
): string {
  const [program = '', noun = '', verb = '', ...where] = command;
  const mapped = [...map.flatMap((pair) => ['--map', pair]), ...leaveOut.flatMap((one) => ['--leave-out', one])];
  const isOtherwiseNamed = (formatOfName(rejects) ?? format) !== format;
  const words = [program, noun, verb, rejects, ...where, ...mapped];
  if (isOtherwiseNamed) words.push('--format', format);
  if (onConflict !== 'update') words.push('--on-conflict', onConflict);
  if (lenient === true) words.push('--lenient');
  if (keepColumns === true) words.push('--keep-columns');
  return words.map(shellWord).join(' ');
}

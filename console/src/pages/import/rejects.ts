import type { Format } from '../../../../src/files/formats.ts';
import { endOf, rejectText } from '../../../../src/files/writing.ts';
import type { Rejected } from './run-import.ts';

/** The rejected rows as the command writes them. */
export function rejectsFile(rejected: readonly Rejected[], format: Format): Blob {
  const parts = rejected.map(({ row, reason }, index) => rejectText(row, reason, format, index === 0));
  return new Blob([...parts, endOf(format, false)], { type: 'application/octet-stream' });
}

import type { Format } from '../../../../src/files/formats.ts';
import { endOfRejects, rejectText } from '../../../../src/files/reject-text.ts';
import type { Rejected } from './run-import.ts';

/** The rejected rows as the command writes them. */
export function rejectsFile(rejected: readonly Rejected[], format: Format): Blob {
  const parts = rejected.map(({ row, reason }, index) => rejectText(row, reason, format, index === 0));
  return new Blob([...parts, endOfRejects(format)], { type: 'application/octet-stream' });
}

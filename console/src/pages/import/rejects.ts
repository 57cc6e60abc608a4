import type { Format } from '../../../../src/files/formats.ts';
import type { Rejected } from './run-import.ts';

/** The rejected rows as the command writes them. */
export async function rejectsFile(rejected: readonly Rejected[], format: Format): Promise<Blob> {
  const { endOf, rejectText } = await import('../../../../src/files/writing.ts');
  const parts = rejected.map(({ row, reason }, index) => rejectText(row, reason, format, index === 0));
  return new Blob([...parts, endOf(format, false)], { type: 'application/octet-stream' });
}

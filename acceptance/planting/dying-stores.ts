import { closeSync, openSync, statSync, truncateSync, writeSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';

import type { Installation } from '../installation.ts';
import type { Place } from './places.ts';
import type { Plant } from './plants.ts';

/** Damages the file under the service: whatever is read from now on is no database. */
export function damage({ file }: Installation): void {
  const { size } = statSync(file);
  const handle = openSync(file, 'r+');
  writeSync(handle, Buffer.alloc(size, 'damaged '), 0, size, 0);
  closeSync(handle);
  truncateSync(`${file}-wal`, 0);
}

const rows = 20_000;

/** An import whose store dies in the middle of it. */
export async function importThatLosesItsStore(
  at: Installation,
  plants: readonly Plant[],
  kill: () => Promise<void>,
): Promise<{ places: Place[]; failures: string[] }> {
  const target = ['--project', 'acme', '--chatbot', 'desk'];
  const importing = at.start(['contacts', 'import', '-', '--format', 'ndjson', ...target]);
  const input = importing.child.stdin;
  input?.on('error', () => undefined);
  for (let row = 0; row < rows; row++) {
    const text = plants[row % plants.length]?.text;
    input?.write(`${JSON.stringify({ id: `row-${row}`, name: text, phone: text, company: text })}\n`);
  }
  // It waits for more, so that it cannot have ended when the store dies.
  await setTimeout(1_500);
  await kill();
  input?.end(`${JSON.stringify({ name: plants[0]?.text })}\n`.repeat(3_000));
  const { code, stdout, stderr } = await importing.ended;
  const failures = code === 69 ? [] : [`an import without its store ended with ${code}: ${stderr}`];
  return { places: [{ name: 'import without its store', text: stdout + stderr }], failures };
}

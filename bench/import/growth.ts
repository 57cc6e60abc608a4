import { createReadStream, rmSync } from 'node:fs';
import { join } from 'node:path';

import { bareInserts, importCommand, installed } from './commands.ts';
import { type Order, writePeople } from './people.ts';

/** One import of one file and the same bare inserts, one after the other: the rows a second of each further step. */
export async function growth(folder: string, rows: number, step: number, order: Order): Promise<object> {
  const [path, csv, bare] = ['people.csv', 'csv.db', 'bare.db'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const lengths = await writePeople(path, { format: 'csv', n: rows, order, step });
  const { steps: bareSteps } = await bareInserts(await installed(bare), { order, rows, step });
  rmSync(bare);
  await installed(csv);
  const steps: number[] = [];
  const input = createReadStream(path);
  const start = performance.now();
  let length = 0;
  input.on('data', (chunk) => {
    length += chunk.length;
    // What the command has been given: it reads ahead by two batches and what is in the pipe.
    if (length >= (lengths[steps.length] ?? Infinity)) steps.push((performance.now() - start) / 1_000);
  });
  const { peakMiB, seconds } = await importCommand(csv, input, { created: rows });
  steps[steps.length - 1] = seconds;
  rmSync(csv);
  const rates = (ends: readonly number[]) =>
    ends.map((end, index) => Math.round(step / (end - (ends[index - 1] ?? 0))));
  return { rows, step, addresses: order, peakMiB, importRates: rates(steps), bareRates: rates(bareSteps) };
}

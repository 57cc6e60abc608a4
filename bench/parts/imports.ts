import { join } from 'node:path';

import { administer, databaseUrl } from '../../test/support/postgres.ts';
import { type Bench, chatbot, type Engine, engines, medianOf } from '../bench.ts';
import { type Cost, importFile, run } from '../commands.ts';
import { writePeople } from '../people.ts';

export interface ImportFigures {
  engine: Engine;
  what: string;
  rowsPerSecond: number;
  peakMiB: number;
}

/** A file into an empty chatbot, the same file again, and an export; the start of the command is part of the time. */
export async function measureImports(bench: Bench): Promise<ImportFigures[]> {
  const { folder, size } = bench;
  const rows = size.imported;
  const file = join(folder, 'import.csv');
  await writePeople(file, 1, rows);
  const figures: ImportFigures[] = [];
  for (const engine of engines) {
    const url = await emptyDatabase(bench, engine);
    const costs: Record<string, Cost[]> = { import: [], 'the same file again': [], export: [] };
    await run({ url }, ['migrate']);
    for (let round = 1; round <= size.rounds; round++) {
      bench.say(`import of ${rows} rows on ${engine}: round ${round} of ${size.rounds}`);
      const project = `import-${round}`;
      await addProject(url, project);
      const to = [project, chatbot] as const;
      costs['import']?.push(await importFile({ url }, to, file, { created: rows }));
      costs['the same file again']?.push(await importFile({ url }, to, file, { unchanged: rows }));
      const output = join(folder, `${engine}-${round}.csv`);
      const args = ['contacts', 'export', '--project', project, '--chatbot', chatbot, '--output', output];
      costs['export']?.push(await run({ url }, args));
    }
    for (const [what, all] of Object.entries(costs)) {
      const rowsPerSecond = rows / medianOf(all, ({ seconds }) => seconds);
      figures.push({ engine, what, rowsPerSecond, peakMiB: Math.max(...all.map(({ peakMiB }) => peakMiB)) });
    }
  }
  return figures;
}

async function emptyDatabase(bench: Bench, engine: Engine): Promise<string> {
  if (engine === 'SQLite') return `sqlite:${join(bench.folder, 'import.db')}`;
  const { url } = await bench.setting(engine);
  await administer(url, 'create database imports');
  return databaseUrl(url, 'imports');
}

/** A project with an empty chatbot. */
export async function addProject(url: string, project: string, program?: string): Promise<void> {
  await run({ program, url }, ['projects', 'create', 'Bench', '--id', project]);
  await run({ program, url }, ['chatbots', 'create', '--project', project, '--name', 'Desk', '--id', chatbot]);
}

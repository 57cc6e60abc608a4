/**
 * Measures what docs/scaling.md says, on a PostgreSQL server that MEASURE_DATABASE_URL names (an empty
 * database and a superuser; default: a server that is started for it), and on SQLite beside it:
 *
 *   node bench/scaling/main.ts growth 10000 100000 1000000
 *   node bench/scaling/main.ts path 1000000       (needs wrk and pgbench on the PATH, and npm run build)
 *
 * Figures of one run may be compared with each other, not with those of another machine or run.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startPostgres } from '../../test/support/postgres.ts';
import { measureGrowth } from './growth.ts';
import { measurePath } from './path.ts';

const [what = 'growth', ...sizes] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'roster-measure-'));
const given = process.env['MEASURE_DATABASE_URL'];
const server = given === undefined ? await startPostgres() : undefined;
try {
  const url = given ?? server?.url ?? '';
  if (what === 'path') await measurePath(url, folder, Number(sizes[0] ?? 1_000_000));
  else await measureGrowth(url, folder, sizes.map(Number));
} finally {
  await server?.[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
}

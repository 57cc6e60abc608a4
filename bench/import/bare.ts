/**
 * What an import has to be held against: the rows that it would store, put into the same table by one prepared
 * statement in transactions of as many rows. Making the rows is not part of the time. PRAGMAS are SQLite settings
 * beyond those that a durable write needs.
 *
 *   node bench/import/bare.ts DATABASE PROJECT CHATBOT ORDER ROWS STEP PRAGMAS
 */
import { DatabaseSync } from 'node:sqlite';

import { newId } from '../../src/values/identifier.ts';
import { personOf } from './people.ts';

const [path = '', project = '', chatbot = '', order, rows, step, pragmas = ''] = process.argv.slice(2);
const batchSize = 1_000;

const db = new DatabaseSync(path, { timeout: 5_000 });
db.exec(`pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on; ${pragmas}`);
const statement = db.prepare(
  `insert into contacts (project_id, chatbot_id, id, name, email, job_title, phone, website, company, created_at,
    email_key, import_digest, inserted_as) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, null, null)`,
);
const steps: number[] = [];
let seconds = 0;
let cpuSeconds = 0;

for (let from = 1; from <= Number(rows); from += batchSize) {
  const batch = Array.from({ length: Math.min(batchSize, Number(rows) - from + 1) }, (_, index) => {
    const person = personOf(from + index, order === 'in order' ? order : 'in no order');
    return [project, chatbot, newId(), ...person, (person[1] ?? '').toLowerCase()];
  });
  timed(() => {
    db.exec('begin immediate');
    for (const row of batch) statement.run(...row);
    db.exec('commit');
  });
  if ((from + batch.length - 1) % Number(step) === 0) steps.push(seconds);
}
timed(() => db.close());
console.log(JSON.stringify({ seconds, cpuSeconds, steps }));

function timed(work: () => void): void {
  const start = performance.now();
  const cpu = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(cpu);
  seconds += (performance.now() - start) / 1_000;
  cpuSeconds += (user + system) / 1_000_000;
}

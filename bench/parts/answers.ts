import { type Bench, type Engine, engines, medianOf, projects, read, type Setting, write } from '../bench.ts';
import { type Measured, measure } from '../load.ts';
import { bare, bareServer, startRoster } from '../processes.ts';

const connections = 64;
/** Requests a second, far below what a core can do. */
export const rates = { read: 1_000, write: 200 };

export interface AnswerFigures {
  engine: Engine | typeof bare;
  what: 'read' | 'write';
  projects: number;
  /** Requests a second at which the times were taken. */
  rate: number;
  /** In milliseconds from the moment a request was due. */
  p50: number;
  p99: number;
  /** As fast as the server answers. */
  perSecond: number;
  perSecondLeast: number;
  perSecondMost: number;
  cpuMicros: number;
}

/** Reads and durable writes of one project and of many, on both engines in turn, by a new process in each round. */
export async function measureAnswers(bench: Bench): Promise<AnswerFigures[]> {
  const { rounds } = bench.size;
  const rows: { row: Pick<AnswerFigures, 'engine' | 'what' | 'projects'>; steady: Measured[]; most: Measured[] }[] = [];
  for (const engine of engines)
    for (const what of ['read', 'write'] as const)
      for (const count of [1, projects]) rows.push({ row: { engine, what, projects: count }, steady: [], most: [] });
  rows.push({ row: { engine: bare, what: 'read', projects: 1 }, steady: [], most: [] });
  for (let round = 1; round <= rounds; round++) {
    for (const engine of [...engines, bare] as const) {
      const setting = await bench.setting(engine === bare ? 'SQLite' : engine);
      bench.say(`reads and writes of ${engine}: round ${round} of ${rounds}`);
      await using server = await (engine === bare ? bareServer() : startRoster(setting.url));
      for (const { row, steady, most } of rows.filter(({ row }) => row.engine === engine)) {
        const load = { address: server.address, connections, ...requests(bench, setting, row) };
        await measure([server.pid], { ...load, seconds: bench.size.warmUpSeconds });
        steady.push(await measure([server.pid], { ...load, seconds: bench.size.steadySeconds, rate: rates[row.what] }));
        most.push(await measure([server.pid], { ...load, seconds: bench.size.seconds }));
      }
    }
  }
  return rows.map(({ row: { engine, what, projects: count }, steady, most }) => ({
    engine,
    what,
    projects: count,
    rate: rates[what],
    p50: medianOf(steady, ({ p50 }) => p50),
    p99: medianOf(steady, ({ p99 }) => p99),
    perSecond: medianOf(most, ({ perSecond }) => perSecond),
    perSecondLeast: Math.min(...most.map(({ perSecond }) => perSecond)),
    perSecondMost: Math.max(...most.map(({ perSecond }) => perSecond)),
    cpuMicros: medianOf(most, ({ cpuMicros }) => cpuMicros),
  }));
}

function requests(
  { size }: Bench,
  { tokens, people }: Setting,
  { what, projects: count }: Pick<AnswerFigures, 'what' | 'projects'>,
) {
  const asked = what === 'read' ? read : write;
  return { ...asked, tokens: tokens.slice(0, count), people: count === 1 ? people : size.peopleOfProject };
}

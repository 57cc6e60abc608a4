import type { Growth } from './bench.ts';
import { type AnswerFigures, rates } from './parts/answers.ts';
import type { ImportFigures } from './parts/imports.ts';
import { type PeerFigures, steadyRate } from './parts/peer.ts';
import type { RecoveryFigures } from './parts/recovery.ts';
import type { SearchFigures } from './parts/search.ts';
import type { StartFigures } from './parts/start.ts';
import { bare } from './processes.ts';
import { count, ms, short, table } from './table.ts';

export interface Figures {
  growth: Growth[];
  answers: AnswerFigures[];
  search: SearchFigures[];
  start: StartFigures[];
  recovery: RecoveryFigures[];
  import: ImportFigures[];
  peer: PeerFigures[] | { left: string };
}

/** One run of one commit on one machine. */
export interface Run {
  commit: string;
  date: string;
  node: string;
  machine: string;
  seconds: number;
  /** The parts that failed or for which no time was left. */
  missing: (keyof Figures)[];
  figures: Partial<Figures>;
}

/** The page with the figures between its marks. Throws where a mark is missing. */
export function pageWith(text: string, run: Run): string {
  let page = text;
  for (const [name, content] of Object.entries(sectionsOf(run))) {
    const [from, to] = [`<!-- ${name} -->`, '<!-- end -->'];
    const start = page.indexOf(from);
    const end = page.indexOf(to, start);
    if (start < 0 || end < 0) throw new Error(`docs/performance.md has no ${from}`);
    page = `${page.slice(0, start + from.length)}\n\n${content}\n\n${page.slice(end)}`;
  }
  return page;
}

const tables: { [Name in keyof Figures]: (figures: Figures[Name]) => string } = {
  growth: growthTable,
  answers: answersTable,
  search: searchTable,
  start: (rows) =>
    table(
      ['', 'ms', 'idle memory, MiB'],
      rows.map((row) => [row.what, short(row.ms), row.idleMiB === undefined ? '' : count(row.idleMiB)]),
    ),
  recovery: (rows) =>
    table(
      ['', 'kills', 'first answer, ms', 'slowest, ms', 'acknowledged writes', 'lost'],
      rows.map((row) => [
        row.engine,
        row.kills,
        short(row.ms),
        short(row.slowestMs),
        count(row.acknowledged),
        row.lost,
      ]),
    ),
  import: importTable,
  peer: peerTable,
};

/** The text of each place in the page: those that were measured, the summary of a whole run, and its circumstances. */
export function sectionsOf(run: Run): Record<string, string> {
  const { figures } = run;
  const measured = (Object.keys(tables) as (keyof Figures)[]).flatMap((name) => sectionOf(name, figures));
  const summary = summaryOf(figures);
  return {
    ...(summary !== undefined && { summary }),
    ...Object.fromEntries(measured),
    run: circumstancesOf(run),
  };
}

function circumstancesOf({ commit, date, node, machine, seconds, missing }: Run): string {
  const all = `Commit ${commit}, ${date}, Node ${node}, ${machine}; the whole run took ${short(seconds / 60)} minutes.`;
  return missing.length === 0 ? all : `${all} Not measured in it: ${missing.join(', ')}.`;
}

function sectionOf(name: keyof Figures, figures: Partial<Figures>): [string, string][] {
  const found = figures[name];
  return found === undefined ? [] : [[name, tables[name](found as never)]];
}

/** What it means for a user, in a few lines. */
function summaryOf({ answers, growth, start, recovery }: Partial<Figures>): string | undefined {
  if (!answers || !growth || !start || !recovery) return undefined;
  const alone = (engine: string, what: 'read' | 'write') =>
    answers.find((row) => row.engine === engine && row.what === what && row.projects === 1);
  const lines = (['SQLite', 'PostgreSQL'] as const).map((engine) => {
    const [read, write] = [alone(engine, 'read'), alone(engine, 'write')];
    const all = growth.findLast((row) => row.engine === engine);
    const started = start.find(({ what }) => what.startsWith('`serve`') && what.endsWith(engine));
    const killed = recovery.find((row) => row.engine === engine);
    if (!read || !write || !all || !started || !killed) return '';
    return [
      engine,
      both(read),
      both(write),
      count(all.diskMiB),
      count(all.serviceMiB),
      short(started.ms),
      `${ms(killed.ms)}, ${killed.lost} lost`,
    ];
  });
  const least = alone(bare, 'read');
  const leastStart = start.find(({ what }) => what === bare);
  if (least && leastStart) lines.push([bare, both(least), '', '', '', short(leastStart.ms), '']);
  const head = [
    '',
    `${count(rates.read)} reads a second: p50, p99, ms`,
    `${rates.write} writes a second: p50, p99, ms`,
    'disk, MiB',
    'memory, MiB',
    'start, ms',
    'after `kill -9`',
  ];
  return table(
    head,
    lines.filter((line) => line !== ''),
  );
}

const both = ({ p50, p99 }: { p50: number; p99: number }) => `${short(p50)}, ${short(p99)}`;

function growthTable(rows: Growth[]): string {
  return table(
    ['', 'people', 'import, s', 'rows a second', 'disk, MiB', 'bytes a person', 'memory, MiB'],
    rows.map((row) => [
      row.engine,
      count(row.people),
      short(row.secondsInAll),
      count(row.rowsPerSecond),
      count(row.diskMiB),
      count(row.bytesOfPerson),
      count(row.serviceMiB),
    ]),
  );
}

function answersTable(rows: AnswerFigures[]): string {
  return table(
    ['', 'projects', 'p50, ms', 'p99, ms', 'most a second', 'CPU µs'],
    rows.map((row) => [
      `${row.engine}: ${row.what}`,
      row.projects,
      short(row.p50),
      short(row.p99),
      count(row.perSecond),
      short(row.cpuMicros),
    ]),
  );
}

function searchTable(rows: SearchFigures[]): string {
  return byEngine('Search for', 'p50, p99, ms', rows, both);
}

function importTable(rows: ImportFigures[]): string {
  return byEngine('', 'rows a second; MiB', rows, (row) => `${count(row.rowsPerSecond)}; ${count(row.peakMiB)}`);
}

/** What was measured, with a column for each engine. */
function byEngine<Row extends { engine: string; what: string }>(
  first: string,
  unit: string,
  rows: Row[],
  cell: (row: Row) => string,
): string {
  const of = (engine: string, what: string) => {
    const row = rows.find((one) => one.engine === engine && one.what === what);
    return row ? cell(row) : '';
  };
  return table(
    [first, `SQLite: ${unit}`, `PostgreSQL: ${unit}`],
    [...new Set(rows.map(({ what }) => what))].map((what) => [what, of('SQLite', what), of('PostgreSQL', what)]),
  );
}

function peerTable(rows: Figures['peer']): string {
  if (!Array.isArray(rows)) return `${rows.left}.`;
  return table(
    [
      '',
      'start, ms',
      `${steadyRate} reads a second: p50, p99, ms`,
      'most reads a second',
      'most writes a second',
      'memory, MiB',
    ],
    rows.map((row) => [
      row.what,
      short(row.startMs),
      both({ p50: row.readP50, p99: row.readP99 }),
      count(row.readsPerSecond),
      count(row.writesPerSecond),
      count(row.loadedMiB),
    ]),
  );
}

import { readFileSync, writeFileSync } from 'node:fs';

import { consoleTable } from './console-table.ts';
import type { ConsoleFigures } from './console.ts';
import { bars, lines } from './plot.ts';
import { type Measured, ratio } from './rounds.ts';
import type { SearchFigures } from './search/main.ts';
import { count, ms, table } from './table.ts';
import type { WriteFigures } from './writes/main.ts';

interface Chapter<T> {
  date: string;
  node: string;
  machine: string;
  figures: T;
}

/** Once for a file in the order of its addresses, once for one in none. */
type ImportFigures = {
  rows: number;
  addresses: string;
  results: { what: string; rowsPerSecond: number; ofBareRate: number; peakMiB?: number }[];
}[];

/** The rates of each further million rows, of an import and of bare inserts. */
type ImportGrowth = {
  step: number;
  addresses: string;
  peakMiB: number;
  importRates: number[];
  bareRates: number[];
}[];

export interface Figures {
  answers?: Chapter<Measured[]>;
  contacts?: Chapter<{ contacts: number; micros: number; bytes: number; loadedMb: number }[]>;
  members?: Chapter<{ members: number; first: number; middle: number; last: number }[]>;
  start?: Chapter<{ rows: { name: string; ms: number; rssMb?: number }[] }>;
  import?: Chapter<ImportFigures>;
  'import-growth'?: Chapter<ImportGrowth>;
  writes?: Chapter<WriteFigures>;
  search?: Chapter<SearchFigures>;
  console?: Chapter<ConsoleFigures>;
  'search-unordered'?: Chapter<SearchFigures>;
}

const document = 'docs/performance.md';
const plot = 'docs/performance.svg';

/** Puts the figures into the tables of the document, each between its marks, and draws the plot. */
export function report(figures: Figures): void {
  const { answers, contacts, members, start, import: imported } = figures;
  if (answers) put('answers', answers, `${answersTable(answers.figures)}\n\n${peersTable(answers.figures)}`);
  if (contacts) {
    const rows = contacts.figures.map((row) => [
      count(row.contacts),
      row.micros.toFixed(0),
      (row.micros / (contacts.figures[0]?.micros ?? 1)).toFixed(2),
      row.bytes.toFixed(0),
      row.loadedMb,
    ]);
    put(
      'contacts',
      contacts,
      table(['Contacts', 'CPU µs an answer', 'of the first', 'bytes a contact', 'memory, MB'], rows),
    );
  }
  if (members) {
    const rows = members.figures.map(({ members: size, first, middle, last }) => [
      count(size),
      ...[first, middle, last].map((micros) => micros.toFixed(0)),
      (last / first).toFixed(2),
    ]);
    put('members', members, table(['Members', 'first page, CPU µs', 'middle', 'last', 'last to first'], rows));
  }
  if (start) {
    const rows = start.figures.rows.map(({ name, ms, rssMb }) => [name, ms.toFixed(0), rssMb ?? '']);
    put('start', start, table(['Command', 'ms', 'idle memory, MB'], rows));
  }
  if (imported) put('import', imported, importTable(imported.figures));
  const grown = figures['import-growth'];
  if (grown) put('import-growth', grown, importGrowthTable(grown.figures));
  if (figures.search) put('search', figures.search, searchTable(figures.search.figures));
  const unordered = figures['search-unordered'];
  if (unordered) put('search-unordered', unordered, searchTable(unordered.figures));
  if (figures.console) put('console', figures.console, consoleTable(figures.console.figures));
  if (figures.writes) put('writes', figures.writes, writesTables(figures.writes.figures));
  if (answers) draw(answers.figures, contacts?.figures ?? []);
}

function answersTable(rows: readonly Measured[]): string {
  return table(
    ['', 'CPU µs', 'of the limit', 'spread', 'a second', 'p50, p99 at 8', 'p50, p99 at 64', 'MB idle, after'],
    rows.map((row) => {
      const { median, spread } = ratio(row, rows[0] ?? row);
      return [
        row.name,
        (1e6 / row.perCpuSecond).toFixed(1),
        median.toFixed(3),
        `${Math.round(spread * 100)} %`,
        count(row.perSecond),
        `${row.p50.toFixed(2)}, ${row.p99.toFixed(1)} ms`,
        `${row.p50Saturated.toFixed(1)}, ${row.p99Saturated.toFixed(1)} ms`,
        `${row.idleMb}, ${row.loadedMb}`,
      ];
    }),
  );
}

function questionOf({ name }: Measured): string | undefined {
  return name.split(': ')[1];
}

/** Roster on SQLite against what else answers the same question: how many times as many answers a CPU second. */
function peersTable(rows: readonly Measured[]): string {
  const ours = rows.filter(({ name }) => name.startsWith('Roster on SQLite'));
  const peers = rows.filter(({ name }) => /^(Express|Directus)/.test(name));
  const pairs = peers.flatMap((peer) => {
    const own = ours.find((row) => questionOf(row) === questionOf(peer));
    return own ? [[peer.name, ratio(own, peer)] as const] : [];
  });
  return table(
    ['Roster on SQLite against', 'times', 'spread'],
    pairs.map(([name, { median, spread }]) => [name, median.toFixed(1), `${Math.round(spread * 100)} %`]),
  );
}

function importGrowthTable([inOrder, inNoOrder]: ImportGrowth): string {
  const cell = (growth: ImportGrowth[number] | undefined, index: number) => {
    const [rate = 0, bare = 0] = [growth?.importRates[index], growth?.bareRates[index]];
    return `${Math.round(rate / 1_000)} (${(rate / bare).toFixed(2)})`;
  };
  const rows = inOrder?.importRates.map((_, index) => [
    count((index + 1) * inOrder.step),
    cell(inOrder, index),
    cell(inNoOrder, index),
  ]);
  return table(['Up to row', 'addresses in order', 'in no order'], rows ?? []);
}

function searchTable(figures: SearchFigures): string {
  const rows = [...Map.groupBy(figures, ({ kind }) => kind)].map(([kind, engines]) =>
    [kind].concat(engines.map(({ p50, p99 }) => `${ms(p50)}, ${ms(p99)}`)),
  );
  return table(['Search for', 'SQLite: p50, p99', 'PostgreSQL: p50, p99'], rows);
}

function writesTables({ creates, besideCreates, besideCommits, lists, bulk, feed }: WriteFigures): string {
  const made = creates.map((row) => [
    row.name,
    count(row.perSecond),
    `${count(row.lowest)} to ${count(row.highest)}`,
    row.micros.toFixed(0),
  ]);
  const byEngine = ['SQLite', 'PostgreSQL'].map((engine) => {
    const list = lists.find((row) => row.engine === engine);
    const one = feed.find((row) => row.engine === engine);
    return [
      engine,
      count(bulk.find((row) => row.engine === engine)?.itemsPerSecond ?? 0),
      list?.firstOfConstant.toFixed(2) ?? '',
      [list?.walkFirstMs, list?.walkMiddleMs, list?.walkLastMs].map((value) => ms(value ?? 0)).join(', '),
      ms(list?.jumpMs ?? 0),
      `${ms(one?.medianMs ?? 0)}, ${ms(one?.p95Ms ?? 0)}`,
    ];
  });
  const beside = [
    [
      'p99 of a contact at 8 connections, beside 500 creates a second',
      ms(besideCreates.atRestMs),
      ms(besideCreates.besideMs),
    ],
    [
      'CPU µs of a contact (Zipf), beside 100 commits a second',
      besideCommits.atRest.toFixed(1),
      besideCommits.beside.toFixed(1),
    ],
  ];
  return [
    table(['Creates at 64 connections', 'a second', 'lowest to highest', 'CPU µs'], made),
    table(
      [
        '',
        'bulk items a second',
        'first page, of a constant',
        'page after page: first, middle, last',
        'jump',
        'feed: median, p95',
      ],
      byEngine,
    ),
    table(['SQLite', 'at rest', 'beside'], beside),
  ].join('\n\n');
}

function importTable([inOrder, inNoOrder]: ImportFigures): string {
  const cell = (row: ImportFigures[number]['results'][number] | undefined) =>
    row ? `${Math.round(row.rowsPerSecond / 1_000)} (${row.ofBareRate.toFixed(2)})` : '';
  const rows = inOrder?.results.map((row, index) => {
    const other = inNoOrder?.results[index];
    return [row.what, cell(row), cell(other), row.peakMiB ?? ''];
  });
  return table(['', 'addresses in order', 'in no order', 'memory, MiB'], rows ?? []);
}

function draw(answers: readonly Measured[], contacts: NonNullable<Figures['contacts']>['figures']): void {
  const ratios = answers.map((row) => ({ name: row.name, value: ratio(row, answers[0] ?? row).median }));
  const growth = contacts.map((row) => ({ name: count(row.contacts), value: row.micros }));
  writeFileSync(plot, bars('Answers a CPU second, of node:http with a constant body', ratios));
  if (growth.length > 0)
    writeFileSync(plot.replace('.svg', '-growth.svg'), lines('CPU µs an answer, by contacts', growth));
}

function put(name: string, { date, node, machine }: Chapter<unknown>, text: string): void {
  const before = readFileSync(document, 'utf8');
  const place = new RegExp(`(<!-- ${name} -->).*?(<!-- end -->)`, 's');
  if (!place.test(before)) throw new Error(`${document} has no place for ${name}`);
  const under = `Measured on ${date} with Node ${node} on ${machine}.`;
  writeFileSync(document, before.replace(place, `$1\n\n${text}\n\n${under}\n\n$2`));
}

import { median } from './table.ts';

export const engines = ['SQLite', 'PostgreSQL'] as const;
export type Engine = (typeof engines)[number];

/** How much of everything a run does. */
export interface Size {
  /** How many people there are after each import of the growth; the last is what all other parts work with. */
  growth: readonly number[];
  /** Each project but the first has as many. */
  peopleOfProject: number;
  rounds: number;
  warmUpSeconds: number;
  /** Of asking as fast as the server answers. */
  seconds: number;
  steadySeconds: number;
  starts: number;
  imported: number;
  /** Of each kind. */
  searches: number;
}

export const fullSize: Size = {
  growth: [10_000, 100_000, 1_000_000],
  peopleOfProject: 1_000,
  rounds: 3,
  warmUpSeconds: 3,
  seconds: 5,
  steadySeconds: 8,
  starts: 7,
  imported: 100_000,
  searches: 200,
};

/** Shows that every part works; its figures mean nothing. */
export const shortSize: Size = {
  growth: [500, 2_000],
  peopleOfProject: 20,
  rounds: 1,
  warmUpSeconds: 0.2,
  seconds: 0.4,
  steadySeconds: 0.4,
  starts: 1,
  imported: 1_000,
  searches: 10,
};

export const projects = 64;

/** A filled database, and how it was filled. */
export interface Setting {
  engine: Engine;
  url: string;
  /** Of a key in each project. Number `i` is of the project `bench-i`; the first has all the people. */
  tokens: readonly string[];
  people: number;
  growth: readonly Growth[];
}

export interface Growth {
  engine: Engine;
  people: number;
  /** Of the import that came to as many people. */
  rowsPerSecond: number;
  secondsInAll: number;
  importPeakMiB: number;
  diskMiB: number;
  /** Of all people, those of the other projects too. */
  bytesOfPerson: number;
  /** Of the service, after reads. */
  serviceMiB: number;
  readCpuMicros: number;
}

export interface Bench {
  size: Size;
  folder: string;
  /** What is to be closed at the end. */
  open: AsyncDisposableStack;
  /** Installs what is missing from the npm registry, if it may. */
  mayInstall: boolean;
  /** Made when it is first asked for. */
  setting(engine: Engine): Promise<Setting>;
  say(text: string): void;
}

export const chatbot = 'desk';

const contacts = `/v2/chatbots/${chatbot}/contacts`;
export const read = { path: `${contacts}/{id}` };
export const write = {
  path: contacts,
  body: '{"properties":{"name":"Person {n}","email":"p{n}@example.com","phone":"+1 555 0100","company":"Example Ltd"}}',
};
export const search = { path: `${contacts}/search` };

export function medianOf<T>(rows: readonly T[], of: (row: T) => number): number {
  return median(rows.map(of));
}

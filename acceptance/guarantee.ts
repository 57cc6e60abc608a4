import type { Installation, Target } from './installation.ts';

/** How much is tried: `smoke` takes under a minute, `core` under six minutes, `full` under two hours. */
export const profiles = ['smoke', 'core', 'full'] as const;
export type Profile = (typeof profiles)[number];

export const engines = ['SQLite', 'PostgreSQL'] as const;
export type Engine = (typeof engines)[number];

/** One line of docs/guarantees.md, and how it is tried through HTTP and the command line alone. */
export interface Guarantee {
  /** For `--only` and the table's first column: lower case, unique. */
  name: string;
  /** How many times it is tried (requests, kills, seconds: the guarantee's own unit); 0 leaves it out. */
  sizes: Readonly<Record<Profile, number>>;
  /** Where they are others there. */
  sizesOnPostgres?: Readonly<Record<Profile, number>>;
  /** Those on which it is tried, each for itself. */
  engines: readonly Engine[];
  /** Whether it only asks, no more than a busy caller would: then it is tried against `--url` too. */
  isHarmless?: true;
  /** Tries it. What throws is a failure too. */
  prove: (trial: Trial) => Promise<Outcome>;
}

/** What a guarantee is tried with. */
export interface Trial {
  engine: Engine;
  size: number;
  /** The whole run's, printed and repeatable with `--seed`; every random choice comes from it. */
  seed: number;
  /** A new installation with an empty database, disposed of after the trial with all its processes. */
  install: () => Promise<Installation>;
  /** An instance that serves a project with people: the operator's own with `--url`, else one of the trial's. */
  target: (env?: Record<string, string>) => Promise<Target>;
  /** A line about how far it is, for who watches. */
  tell: (line: string) => void;
}

export interface Outcome {
  /** How many were tried, in the guarantee's unit. */
  tried: number;
  /** What the table says of it, in at most twelve words: `p99 12 ms, at most 96 MB`. */
  measured: string;
  /** One sentence each, with all that is needed to try the same again; none where the guarantee holds. */
  failures: readonly string[];
  /**
   * What could not be shown here, one sentence each: a time or an amount of memory that was not reached, a tool that is
   * missing. In `full`, which has the machine to itself, it is as bad as a failure; else the run says it and goes on, as a
   * busy machine says nothing about Roster.
   */
  notShown?: readonly string[];
  /** Why nothing was tried: what it needs is not to be had here. That is no failure. */
  skipped?: string;
}

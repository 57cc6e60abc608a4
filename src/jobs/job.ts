import type { Config } from '../config.ts';
import type { Store } from '../store.ts';

export type JobSettings = Pick<Config, 'binDays' | 'eventDays'>;

/** What a run of a job is given. */
export interface JobRun {
  store: Store;
  settings: JobSettings;
  now: Date;
  /** Aborted at a stop. */
  signal: AbortSignal;
}

export interface Job {
  /** As in the table `jobs`. */
  readonly name: string;
  /** Deletes what is too old in small steps, and yields the number of rows after each. */
  steps(run: JobRun): AsyncIterable<number>;
}

const rowsOfStep = 200;

/** Repeats a step until it finds less than it may delete. */
export async function* untilDone(step: (limit: number) => Promise<{ output: number }>): AsyncGenerator<number> {
  for (;;) {
    const { output: deleted } = await step(rowsOfStep);
    yield deleted;
    if (deleted < rowsOfStep) return;
  }
}

import type { Config } from '../config/settings.ts';
import type { Store } from '../store.ts';

export type JobSettings = Pick<Config, 'binDays' | 'eventDays'>;

/** The input of a run of a job. */
export interface JobRun {
  store: Store;
  settings: JobSettings;
  now: Date;
  /** Aborted at a stop. */
  signal: AbortSignal;
}

export interface Job {
  /** The name in the table `jobs`. */
  readonly name: string;
  /** The outcome for the rows, for the log. */
  readonly does: 'deleted' | 'indexed' | 'merged';
  /** Seconds from the end of a run to the next. */
  readonly every?: number;
  /** Works in small steps, and yields the number of rows after each. */
  steps(run: JobRun): AsyncIterable<number>;
}

const rowsOfStep = 200;

/** Repeats a step until it finds less than it may take. */
export async function* untilDone(step: (limit: number) => Promise<number>): AsyncGenerator<number> {
  for (;;) {
    const done = await step(rowsOfStep);
    yield done;
    if (done < rowsOfStep) return;
  }
}

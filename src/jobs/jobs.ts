import { job } from '../actor.ts';
import type { Config } from '../config/settings.ts';
import { suggestInProject } from '../contacts/duplicates/suggest.ts';
import { forgetMerges } from '../contacts/merging/undo.ts';
import { purgeBin } from '../contacts/purge.ts';
import { AppError } from '../errors.ts';
import { purgeEvents, purgeIdempotencyKeys } from '../events/retention.ts';
import { idempotencyHours } from '../idempotency.ts';
import { run, type WriteOperation } from '../operation.ts';
import type { Store } from '../store.ts';
import type { Aging } from '../upkeep.ts';
import { addSeconds, day, formatTimestamp, hour, type Timestamp } from '../values/timestamp.ts';

export type JobSettings = Pick<Config, 'binDays' | 'eventDays'>;

export interface Job {
  readonly name: string;
  readonly does: 'compared' | 'deleted' | 'indexed' | 'merged';
  /** Seconds from the end of a run to the next: less than a day, or `latestDueAt` makes it due at each look. */
  readonly every?: number;
  /** How long it rests after each step, as a multiple of what the step took. */
  readonly restOfWork?: number;
  /** Runs beside the others, and waits for none of them. */
  readonly isPrompt?: true;
  /** Works in small steps, and yields the number of rows after each. The signal is aborted at a stop. */
  steps(run: { store: Store; settings: JobSettings; now: Date; signal: AbortSignal }): AsyncIterable<number>;
}

const rowsOfStep = 200;

async function* untilDone(step: (limit: number) => Promise<number>): AsyncGenerator<number> {
  for (;;) {
    const done = await step(rowsOfStep);
    yield done;
    if (done < rowsOfStep) return;
  }
}

async function* untilNone(step: () => Promise<number>): AsyncGenerator<number> {
  for (let done: number; (done = await step()) > 0;) yield done;
}

/** Indexes contacts that search does not know: those from before the index, and those an older program adds. */
const indexContacts: Job = {
  name: 'index-search',
  does: 'indexed',
  every: 60,
  steps: async function* ({ store: { upkeep } }) {
    for (const projectId of await upkeep.unindexedProjects()) {
      yield* untilDone((limit) => upkeep.indexContacts(projectId, limit));
    }
  },
};

/** Lets filters of the feed skip events: without it they look through all. */
const markEvents: Job = {
  name: 'mark-events',
  does: 'indexed',
  every: 60,
  steps: async function* ({ store: { upkeep } }) {
    const projectIds = await upkeep.unmarkedProjects();
    yield* stepByStep(projectIds.map((id) => untilNone(() => upkeep.markEvents(id))));
  },
};

/** Merges the index after many additions, which slow searches, and after purges, so that no word of them is left. */
const mergeIndex: Job = {
  name: 'merge-index',
  does: 'merged',
  every: 60,
  steps: async function* ({ store: { upkeep } }) {
    for await (const _ of upkeep.mergeIndex()) yield 0;
  },
};

/** A step of each in turn: a project with much to do keeps no other waiting, one that fails or is gone stops none. */
async function* stepByStep(all: readonly AsyncGenerator<number>[]): AsyncGenerator<number> {
  const left = new Set(all);
  let failure: unknown;
  while (left.size > 0) {
    for (const one of left) {
      try {
        const { done, value } = await one.next();
        if (done === true) left.delete(one);
        else yield value;
      } catch (error) {
        if (error instanceof AppError && error.code !== 'not_found') throw error;
        if (!(error instanceof AppError)) failure ??= error;
        left.delete(one);
      }
    }
  }
  if (failure !== undefined) throw failure;
}

const findDuplicates: Job = {
  name: 'find-duplicates',
  does: 'compared',
  every: 15,
  // It may be slow, and on SQLite its steps hold up all other writes.
  restOfWork: 19,
  isPrompt: true,
  steps: async function* ({ store }) {
    const projectIds = await store.upkeep.projectsToCompare();
    yield* stepByStep(projectIds.map((id) => suggestInProject(store, 'find-duplicates', id)));
  },
};

type Purging = WriteOperation<{ chatbotId: string; before: Timestamp; limit: number }, number>;

function purge(name: string, of: Aging, operation: Purging, secondsOf: (settings: JobSettings) => number): Job {
  return {
    name,
    does: 'deleted',
    steps: async function* ({ store, settings, now, signal }) {
      const before = formatTimestamp(addSeconds(now, -secondsOf(settings)));
      for await (const ages of store.upkeep.ages(of)) {
        yield 0;
        for (const { project_id: projectId, chatbot_id: chatbotId, oldest } of ages) {
          if (oldest === null || oldest >= before) continue;
          const actor = job(name, projectId);
          const step = (limit: number) => run(operation, store, actor, { chatbotId, before, limit }, { signal });
          yield* untilDone(async (limit) => (await step(limit)).output);
        }
      }
    },
  };
}

/** Without a bin, what is left in it goes at once. */
function secondsInBin({ binDays }: JobSettings): number {
  return binDays === 0 ? -1 : binDays * day;
}

export const jobs: readonly Job[] = [
  indexContacts,
  purge('purge-bin', 'bin', purgeBin, secondsInBin),
  purge('forget-merges', 'merges', forgetMerges, secondsInBin),
  purge('purge-events', 'events', purgeEvents, ({ eventDays }) => eventDays * day),
  purge('purge-idempotency-keys', 'idempotency_keys', purgeIdempotencyKeys, () => idempotencyHours * hour),
  markEvents,
  mergeIndex,
  findDuplicates,
];

import { job } from '../actor.ts';
import { purgeBin } from '../contacts/purge.ts';
import { purgeEvents, purgeIdempotencyKeys } from '../events/retention.ts';
import { idempotencyHours } from '../idempotency.ts';
import { run } from '../operation.ts';
import type { ProjectAge } from '../upkeep.ts';
import { addSeconds, formatTimestamp } from '../values/timestamp.ts';
import { type Job, type JobRun, untilDone } from './job.ts';

const hour = 3_600;
const day = 24 * hour;

/** Contacts that have been in the bin for longer than `ROSTER_BIN_DAYS`. */
const purgeBins: Job = {
  name: 'purge-bin',
  does: 'deleted',
  steps: async function* ({ store, settings: { binDays }, now, signal }) {
    // Without a bin what is left in it goes at once.
    const before = formatTimestamp(binDays === 0 ? addSeconds(now, 1) : addSeconds(now, -binDays * day));
    for await (const bins of store.upkeep.bins()) {
      yield 0;
      for (const { project_id, chatbot_id: chatbotId, oldest } of bins) {
        if (oldest === null || oldest >= before) continue;
        const actor = job('purge-bin', project_id);
        const step = (limit: number) => run(purgeBin, store, actor, { chatbotId, before, limit }, { signal });
        yield* untilDone(async (limit) => (await step(limit)).output);
      }
    }
  },
};

/** A job that deletes what a project keeps for some seconds, found by its oldest. */
function purgeOld(
  name: string,
  operation: typeof purgeEvents,
  oldestOf: (project: ProjectAge) => string | null,
  secondsOf: (settings: JobRun['settings']) => number,
): Job {
  return {
    name,
    does: 'deleted',
    steps: async function* ({ store, settings, now, signal }) {
      const before = formatTimestamp(addSeconds(now, -secondsOf(settings)));
      for await (const projects of store.upkeep.projects()) {
        yield 0;
        for (const project of projects) {
          const oldest = oldestOf(project);
          if (oldest === null || oldest >= before) continue;
          const actor = job(name, project.project_id);
          const step = (limit: number) => run(operation, store, actor, { before, limit }, { signal });
          yield* untilDone(async (limit) => (await step(limit)).output);
        }
      }
    },
  };
}

export const purges: readonly Job[] = [
  purgeBins,
  purgeOld(
    'purge-events',
    purgeEvents,
    (project) => project.oldest_event,
    ({ eventDays }) => eventDays * day,
  ),
  purgeOld(
    'purge-idempotency-keys',
    purgeIdempotencyKeys,
    (project) => project.oldest_request,
    () => idempotencyHours * hour,
  ),
];

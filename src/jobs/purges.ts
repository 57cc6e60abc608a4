import { job } from '../actor.ts';
import { purgeBin } from '../contacts/purge.ts';
import { purgeEvents, purgeIdempotencyKeys } from '../events/retention.ts';
import { idempotencyHours } from '../idempotency.ts';
import { run, type WriteOperation } from '../operation.ts';
import type { BinAge, ProjectAge, Upkeep } from '../upkeep.ts';
import { day, hour, addSeconds, formatTimestamp, type Timestamp } from '../values/timestamp.ts';
import { type Job, type JobSettings, untilDone } from './job.ts';

interface Purge<Owner> {
  name: string;
  operation: WriteOperation<{ chatbotId: string; before: Timestamp; limit: number }, number>;
  ownersOf: (upkeep: Upkeep) => AsyncIterable<readonly Owner[]>;
  oldestOf: (owner: Owner) => Timestamp | null;
  secondsOf: (settings: JobSettings) => number;
}

/** A job that deletes what a project or a bin keeps for some seconds, found by its oldest. */
function purge<Owner extends Pick<BinAge, 'project_id'> & Partial<BinAge>>(declared: Purge<Owner>): Job {
  const { name, operation, ownersOf, oldestOf, secondsOf } = declared;
  return {
    name,
    does: 'deleted',
    steps: async function* ({ store, settings, now, signal }) {
      const before = formatTimestamp(addSeconds(now, -secondsOf(settings)));
      for await (const owners of ownersOf(store.upkeep)) {
        yield 0;
        for (const owner of owners) {
          const oldest = oldestOf(owner);
          if (oldest === null || oldest >= before) continue;
          const { project_id: projectId, chatbot_id: chatbotId = '' } = owner;
          const actor = job(name, projectId);
          const step = (limit: number) => run(operation, store, actor, { chatbotId, before, limit }, { signal });
          yield* untilDone(async (limit) => (await step(limit)).output);
        }
      }
    },
  };
}

export const purges: readonly Job[] = [
  purge<BinAge>({
    name: 'purge-bin',
    operation: purgeBin,
    ownersOf: (upkeep) => upkeep.bins(),
    oldestOf: ({ oldest }) => oldest,
    // Without a bin what is left in it goes at once.
    secondsOf: ({ binDays }) => (binDays === 0 ? -1 : binDays * day),
  }),
  purge<ProjectAge>({
    name: 'purge-events',
    operation: purgeEvents,
    ownersOf: (upkeep) => upkeep.projects(),
    oldestOf: (project) => project.oldest_event,
    secondsOf: ({ eventDays }) => eventDays * day,
  }),
  purge<ProjectAge>({
    name: 'purge-idempotency-keys',
    operation: purgeIdempotencyKeys,
    ownersOf: (upkeep) => upkeep.projects(),
    oldestOf: (project) => project.oldest_request,
    secondsOf: () => idempotencyHours * hour,
  }),
];

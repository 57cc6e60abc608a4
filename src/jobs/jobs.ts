import { type Job, untilDone } from './job.ts';
import { purges } from './purges.ts';

const minute = 60;

/** Indexes contacts that search does not know: those from before the index, and those an older program adds. */
const indexContacts: Job = {
  name: 'index-search',
  does: 'indexed',
  every: minute,
  steps: async function* ({ store: { upkeep } }) {
    for (const projectId of await upkeep.unindexedProjects()) {
      yield* untilDone((limit) => upkeep.indexContacts(projectId, limit));
    }
  },
};

/** Merges the index after many additions, which slow searches, and after purges, so that no word of them is left. */
const mergeIndex: Job = {
  name: 'merge-index',
  does: 'merged',
  every: minute,
  steps: async function* ({ store: { upkeep } }) {
    for await (const _ of upkeep.mergeIndex()) yield 0;
  },
};

/** The jobs that run while serving, in this order. */
export const jobs: readonly Job[] = [indexContacts, ...purges, mergeIndex];

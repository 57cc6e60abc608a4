import { type Job, untilDone } from './job.ts';
import { purges } from './purges.ts';

const minute = 60;

/** Contacts that search does not know yet: of before the index, and those that an older program adds beside this one. */
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

/** After many additions, which slow searches down, and after deletions for good, of which nothing is to be left. */
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

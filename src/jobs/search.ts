import { type Job, untilDone } from './job.ts';

const minute = 60;

/** Contacts that search does not know yet: of before the index, and those that an older program adds beside this one. */
export const indexContacts: Job = {
  name: 'index-contacts',
  does: 'indexed',
  every: minute,
  steps: async function* ({ store: { upkeep } }) {
    for await (const projects of upkeep.projects()) {
      yield 0;
      for (const { project_id: projectId } of projects) {
        yield* untilDone((limit) => upkeep.indexContacts(projectId, limit));
      }
    }
  },
};

/** What is left on the disk of people who were deleted for good. */
export const eraseTraces: Job = {
  name: 'erase-traces',
  does: 'erased',
  every: minute,
  steps: async function* ({ store: { upkeep } }) {
    for await (const _ of upkeep.eraseTraces()) yield 0;
  },
};

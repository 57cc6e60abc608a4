import type { Job } from './job.ts';
import { purges } from './purges.ts';
import { mergeIndex, indexContacts } from './search.ts';

/** The jobs that run while serving, in this order. */
export const jobs: readonly Job[] = [indexContacts, ...purges, mergeIndex];

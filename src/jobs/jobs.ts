import type { Job } from './job.ts';
import { purges } from './purges.ts';
import { eraseTraces, indexContacts } from './search.ts';

/** What runs by itself while serving, in this order. */
export const jobs: readonly Job[] = [indexContacts, ...purges, eraseTraces];

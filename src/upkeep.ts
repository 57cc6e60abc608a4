import { addSeconds, day, formatTimestamp, type Timestamp } from './values/timestamp.ts';

export interface DueJob {
  name: string;
  due_at: Timestamp;
}

/** No job is put off for so long: a later time is that of a clock that was far ahead, and the job is due. */
export function latestDueAt(now: Timestamp): Timestamp {
  return formatTimestamp(addSeconds(new Date(now), day));
}

export type Aging = 'bin' | 'merges' | 'events' | 'idempotency_keys';

/** The time of the oldest that a chatbot or a project keeps; null where it keeps none. */
export interface Age {
  project_id: string;
  /** Empty for what belongs to the project. */
  chatbot_id: string;
  oldest: Timestamp | null;
}

export interface DueWebhook {
  project_id: string;
  id: string;
  last_event: number;
  attempts: number;
  /** Whether something is to be tried again, or it has failed too long. */
  is_time_up: 0 | 1;
}

export interface WebhooksState {
  failing: number;
  /** By Roster: somebody who disabled a webhook knows it. */
  disabled: number;
  /** Time of the oldest event that a webhook not disabled has yet to get or to pass over; null if there is none. */
  oldestEvent: Timestamp | null;
}

/** Queries of jobs over all projects, in pages, and the lock that keeps two processes from running one job. */
export interface Upkeep {
  jobs(): Promise<DueJob[]>;
  /** Puts a due job off until this time, when another process may take it. True for the one process that may run it. */
  claim(name: string, now: Timestamp, until: Timestamp): Promise<boolean>;
  /** Ends or renews a claim until this time; `next` is when the job is due again. False where the claim was lost. */
  release(name: string, until: Timestamp, next: Timestamp): Promise<boolean>;
  ages(of: Aging): AsyncIterable<Age[]>;
  /** Projects whose suggestions of duplicates are behind, those with most to do last; else in any order. */
  projectsToCompare(): Promise<string[]>;
  /** Projects with a block of events that has no marks yet, in any order. */
  unmarkedProjects(): Promise<string[]>;
  /** Marks the next blocks of events, so that a filter of the feed may skip them. Returns how many events; 0 is all. */
  markEvents(projectId: string): Promise<number>;
  /** Whether there is a webhook that is not disabled. */
  hasWebhooks(): Promise<boolean>;
  /** Webhooks that may have something to send at this time, or have failed since that time at the latest. */
  dueWebhooks(now: Timestamp, failingSince: Timestamp): Promise<DueWebhook[]>;
  webhooksState(): Promise<WebhooksState>;
  unindexedProjects(): Promise<string[]>;
  /** Makes some contacts of a project known to search that are not. Returns how many; fewer than `limit` is all. */
  indexContacts(projectId: string, limit: number): Promise<number>;
  /** Tidies the index in small steps, where it is worth it; then nothing is left in it of people deleted for good. */
  mergeIndex(): AsyncIterable<void>;
}

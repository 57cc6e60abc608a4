import { expect } from 'vitest';

import { operator } from '../../src/actor.ts';
import { bulkContacts } from '../../src/contacts/bulk.ts';
import type { Database } from '../../src/database/database.ts';
import { sql } from '../../src/database/sql.ts';
import { startJobs } from '../../src/jobs/runner.ts';
import { run } from '../../src/operation.ts';
import type { Store } from '../../src/store.ts';
import { at } from './clock.ts';
import type { Opened } from './engines.ts';

type Running = ReturnType<typeof jobsOf>;

export const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);

/** Puts contacts, 1,000 at most, into the bin so many days ago. */
export function deletedDaysAgo(
  store: Store,
  days: number,
  { projectId, chatbotId }: { projectId: string; chatbotId: string },
  contactIds: readonly string[],
): Promise<void> {
  return at(daysAgo(days), async () => {
    const items = contactIds.map((id) => ({ op: 'delete' as const, id }));
    await run(bulkContacts, store, operator(projectId), { chatbotId, items });
  });
}

export async function makeJobsDue(database: Database): Promise<void> {
  await database.run(sql`update jobs set due_at = '2026-01-01T00:00:00+00:00'`);
}

/** The jobs of a process that serves, with what they log. */
export function jobsOf(
  store: Store,
  { binDays = 30, ...options }: Partial<Parameters<typeof startJobs>[2]> & { binDays?: number } = {},
) {
  const lines: { level: string; fields: object; message: string }[] = [];
  const tell = (level: string) => (fields: object, message: string) => void lines.push({ level, fields, message });
  const log = { info: tell('info'), warn: tell('warn'), error: tell('error') };
  const settings = { binDays, eventDays: 400 };
  const running = startJobs(store, settings, { log, firstLookMs: 1, lookEveryMs: 20, ...options });
  return { lines, [Symbol.asyncDispose]: () => running[Symbol.asyncDispose]() };
}

/** Runs all jobs once; what they log. */
export async function runJobs(
  { database, store }: Pick<Opened, 'database' | 'store'>,
  { by = [store], ...options }: Parameters<typeof jobsOf>[1] & { by?: readonly Store[] } = {},
): Promise<Running['lines']> {
  await makeJobsDue(database);
  await using stack = new AsyncDisposableStack();
  const running = by.map((one) => stack.use(jobsOf(one, options)));
  await expect.poll(() => areJobsDone(store)).toBe(true);
  return running.flatMap(({ lines }) => lines);
}

/**
 * Whether no job is due, nor claimed by a process: after a run it is due again in a minute, or ten; a claim is for 40 seconds.
 * That of duplicates may go on: it rests for long between its steps.
 */
export async function areJobsDone(store: Store): Promise<boolean> {
  const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1_000).toISOString();
  const isBetween = (due: string, from: number, to: number) => due > inSeconds(from) && due < inSeconds(to);
  return (await store.upkeep.jobs()).every(
    ({ name, due_at: due }) => name === 'find-duplicates' || due > inSeconds(400) || isBetween(due, 43, 100),
  );
}

import type { Store } from '../store.ts';
import { type DueJob, latestDueAt } from '../upkeep.ts';
import { addSeconds, formatTimestamp } from '../values/timestamp.ts';
import { type Job, jobs as allJobs, type JobSettings } from './jobs.ts';
import { takeLease } from './lease.ts';
import { rest, restPerMs } from './rest.ts';
import { failureLog, inRounds, type JobLog } from './rounds.ts';

interface JobOptions {
  log: JobLog;
  onDeleted?: ((job: string, rows: number) => void) | undefined;
  jobs?: readonly Job[];
  firstLookMs?: number;
  lookEveryMs?: number;
  /** A run that takes longer stops, and the job is due again at once. */
  runMs?: number;
  claimedSeconds?: number;
}

const everySeconds = 600;
const promptLookMs = 15_000;
/** A run renews its claim while it works, so that another process soon takes the job of one that died. */
const claimedSecondsDefault = 40;
const restMinMs = 20;

/** Runs each job that is due, unless another process does. Disposing of it ends a run within its step. */
export function startJobs(store: Store, settings: JobSettings, options: JobOptions): AsyncDisposable {
  const { log, jobs = allJobs, firstLookMs = 2_000, lookEveryMs = 60_000 } = options;
  const failures = failureLog(log, 'a job failed', 'jobs wait');
  const runAll = (own: readonly Job[], everyMs: number) => {
    const round = async (signal: AbortSignal) => {
      const due = new Set(await namesOfDue(store));
      for (const job of own)
        if (due.has(job.name) && !signal.aborted) await runOne(job, store, settings, options, signal);
      failures.isBack();
      return everyMs;
    };
    return inRounds(firstLookMs, round, (error) => {
      failures.tell(error);
      return everyMs;
    });
  };
  const [prompt, others] = [jobs.filter((job) => job.isPrompt), jobs.filter((job) => !job.isPrompt)];
  const running = [runAll(others, lookEveryMs), runAll(prompt, Math.min(lookEveryMs, promptLookMs))];
  return {
    [Symbol.asyncDispose]: async () => {
      await Promise.all(running.map((one) => one[Symbol.asyncDispose]()));
    },
  };
}

async function namesOfDue({ upkeep }: Store): Promise<string[]> {
  const now = formatTimestamp(new Date());
  const isDue = ({ due_at: dueAt }: DueJob) => dueAt <= now || dueAt > latestDueAt(now);
  return (await upkeep.jobs()).filter(isDue).map(({ name }) => name);
}

async function runOne(
  job: Job,
  store: Store,
  settings: JobSettings,
  { log, onDeleted, runMs = 60_000, claimedSeconds = claimedSecondsDefault }: JobOptions,
  signal: AbortSignal,
): Promise<void> {
  const { name, does, every = everySeconds, restOfWork = restPerMs } = job;
  const now = new Date();
  const lease = await takeLease(store.upkeep, name, claimedSeconds, now);
  if (!lease) return;
  const startedAt = performance.now();
  let stepAt = startedAt;
  let done = 0;
  let isDone = true;
  try {
    for await (const rows of job.steps({ store, settings, now, signal })) {
      done += rows;
      if (does === 'deleted') onDeleted?.(name, rows);
      const restMs = Math.max(restMinMs, (performance.now() - stepAt) * restOfWork);
      isDone = performance.now() - startedAt < runMs && (await rest(restMs, signal));
      if (!isDone) break;
      stepAt = performance.now();
      if (lease.isOld()) await lease.renew();
    }
    await lease.end(formatTimestamp(addSeconds(new Date(), isDone ? every : 0)));
  } finally {
    const duration_ms = Math.round(performance.now() - startedAt);
    if (done > 0) log.info({ job: name, [does]: done, duration_ms }, `job ${name}: ${does} ${done}`);
  }
}

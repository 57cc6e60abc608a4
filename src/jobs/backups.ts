import { inRounds, type JobLog } from './rounds.ts';

const backupSteps = ['backup', 'command'] as const;
type BackupStep = (typeof backupSteps)[number];

export interface BackupOutcome {
  made: { file: string; size: number; removed: number } | null;
  isBusy: boolean;
  failures: Partial<Record<BackupStep, string>>;
}

interface BackupOptions {
  everySeconds: number;
  /** Finds the time of the newest backup, and whether the command has yet to take it. */
  look: () => Promise<{ newest: Date | undefined; isUnsent: boolean }>;
  /** Makes a backup if one is due, and runs the command for the newest. The signal aborts at a stop. */
  make: (signal: AbortSignal) => Promise<BackupOutcome>;
  log: Pick<JobLog, 'info' | 'error'>;
  onLooked?: ((newest: Date | undefined) => void) | undefined;
  onFailed?: ((step: BackupStep) => void) | undefined;
  firstLookMs?: number;
}

const lookMinMs = 1_000;
const lookMaxMs = 60_000;
const retryMaxMs = 3_600_000;

/** Backs up when the newest is old enough. After failures it waits 1, 2, 4 … minutes. Disposal ends a running one. */
export function startBackups(options: BackupOptions): AsyncDisposable {
  const { everySeconds, look, make, log, onLooked, onFailed, firstLookMs = 1_000 } = options;
  const everyMs = everySeconds * 1_000;
  const retries = { backup: retry(everyMs), command: retry(everyMs) };

  const fail = (step: BackupStep, sentence: string): number => {
    onFailed?.(step);
    const ms = retries[step].putOff();
    log.error({ step, next_try_s: ms / 1_000 }, sentence);
    return ms;
  };

  const lookOnce = async (signal: AbortSignal): Promise<number> => {
    const { newest, isUnsent } = await look();
    // A backup that begins after the stop would hear nothing of it.
    signal.throwIfAborted();
    onLooked?.(newest);
    const step = isDue(newest, everySeconds) ? 'backup' : 'command';
    if (step === 'command' && !isUnsent) {
      const due = (newest?.getTime() ?? 0) + everyMs - Date.now();
      return Math.max(lookMinMs, Math.min(due, lookMaxMs));
    }
    if (!retries[step].isDue()) return Math.min(lookMaxMs, everyMs);
    const startedAt = performance.now();
    const { made, isBusy, failures } = await make(signal);
    if (signal.aborted || isBusy) return Math.min(lookMaxMs, everyMs);
    const duration_ms = Math.round(performance.now() - startedAt);
    if (made) log.info({ ...made, duration_ms }, 'made and verified a backup');
    for (const one of backupSteps) {
      if (failures[one] === undefined) retries[one].forget();
      else fail(one, failures[one]);
    }
    return lookMinMs;
  };

  return inRounds(firstLookMs, lookOnce, (error) => fail('backup', (error as Error).message));
}

/** A newest one far in the future does not count: the clock was set back. */
export function isDue(newest: Date | undefined, everySeconds: number, now = Date.now()): boolean {
  return newest === undefined || Math.abs(now - newest.getTime()) >= everySeconds * 1_000;
}

function retry(everyMs: number) {
  let times = 0;
  let from = 0;
  return {
    isDue: () => performance.now() >= from,
    forget: () => void (times = 0),
    putOff: () => {
      const ms = retryMs(++times, everyMs);
      from = performance.now() + ms;
      return ms;
    },
  };
}

export function retryMs(failures: number, everyMs: number): number {
  return Math.min(lookMaxMs * 2 ** (failures - 1), retryMaxMs, everyMs);
}

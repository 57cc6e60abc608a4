import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { devNull, setPriority } from 'node:os';
import { text } from 'node:stream/consumers';

import type { Logger } from 'pino';

import type { Config } from '../config/settings.ts';
import { engineOf } from '../database/open-store.ts';
import { datedBackups, removeUnfinished } from '../database/upkeep/dated-backups.ts';
import { AppError } from '../errors.ts';
import { type BackupOutcome, startBackups } from '../jobs/backups.ts';
import type { Metrics } from '../observability/metrics.ts';
import { systemSentence } from './failures.ts';
import { startOwnProcess } from './own-process.ts';
import type { DueOutcome } from './upkeep/due-backup.ts';

type BackupSettings = Pick<Config, 'databaseUrl' | 'backupDir' | 'backupEvery' | 'backupKeep' | 'backupCommand'>;

export const forPostgres =
  'ROSTER_BACKUP_DIR is for SQLite; for PostgreSQL leave it out, and use pg_dump or WAL archiving (docs/backups.md)';

export function requireSqliteForBackups({ databaseUrl, backupDir }: BackupSettings): void {
  if (backupDir === '' || engineOf(databaseUrl) === 'sqlite') return;
  throw new AppError('settings', `Bad settings:\n  ${forPostgres}.`);
}

/** In processes of their own: SQLite would block the event loop, and could not be stopped. Undefined if off. */
export function startServiceBackups(
  config: BackupSettings,
  log: Logger,
  metrics: Metrics | undefined,
): AsyncDisposable | undefined {
  const { backupDir, backupEvery, backupCommand } = config;
  if (backupDir === '') return undefined;
  const observed = metrics?.observeBackups(backupEvery);
  return startBackups({
    everySeconds: backupEvery,
    look: async () => {
      const newest = (await reported(datedBackups(backupDir))).at(-1);
      return { newest: newest?.at, isUnsent: backupCommand !== '' && newest?.isSent === false };
    },
    make: (signal) => backUpInProcess(config, signal),
    log,
    ...observed,
  });
}

async function reported<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw new Error(systemSentence(error) ?? (error as Error).message, { cause: error });
  }
}

const endsWithinMs = 5_000;
/** A nice value, so that the service goes first. */
const lowPriority = 5;

async function backUpInProcess(config: BackupSettings, signal: AbortSignal): Promise<BackupOutcome> {
  const child = start(config);
  const end = () => {
    child.kill('SIGTERM');
    setTimeout(() => child.kill('SIGKILL'), endsWithinMs).unref();
  };
  signal.addEventListener('abort', end, { once: true });
  const ended = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>;
  const [[code, killedBy], stdout, stderr] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  signal.removeEventListener('abort', end);
  if (killedBy !== null && child.pid !== undefined) await removeUnfinished(config.backupDir, child.pid);
  const outcome: BackupOutcome = { made: null, isBusy: false, failures: {} };
  if (code !== 0) {
    const sentence = /^roster: (.*)$/m.exec(stderr)?.[1];
    return { ...outcome, failures: { backup: sentence ?? `The backup ended with ${killedBy ?? `code ${code}`}.` } };
  }
  const { made, isBusy, commandFailure } = JSON.parse(stdout) as DueOutcome;
  if (commandFailure === null) return { ...outcome, made, isBusy };
  const sentence = `ROSTER_BACKUP_COMMAND ${commandFailure}; run it by hand with the path of a backup to see why.`;
  return { made, isBusy, failures: { command: sentence } };
}

/** Starts this program with the service's database, and no other setting or secret. */
function start({ databaseUrl, backupDir, backupEvery, backupKeep, backupCommand }: BackupSettings) {
  const given = ['--keep', String(backupKeep), '--every', String(backupEvery), '--json'];
  const command = backupCommand === '' ? [] : ['--command', backupCommand];
  const others = Object.entries(process.env).filter(([name]) => !/^(ROSTER_|DATABASE_URL)/.test(name));
  const env = { ...Object.fromEntries(others), DATABASE_URL: databaseUrl, ROSTER_ENV_FILE: devNull };
  const child = startOwnProcess(['backup', 'create', backupDir, ...given, ...command], env);
  lower(child);
  return child;
}

function lower({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    setPriority(pid, lowPriority);
  } catch {
    // A sandbox may forbid it.
  }
}

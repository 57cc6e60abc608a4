import { realpathSync, writeFileSync } from 'node:fs';

import { makeFolder } from '../../database/sqlite/file.ts';
import { holdBackups } from '../../database/sqlite/hold.ts';
import type { BackupReport } from '../../database/upkeep/backup.ts';
import { datedBackups, removeUnfinished, sentMark } from '../../database/upkeep/dated-backups.ts';
import { isDue } from '../../jobs/backups.ts';
import { handOver } from './hand-over.ts';

export interface DueOutcome {
  /** Null if none was due, or another process is making one. */
  made: { file: string; size: number; removed: number } | null;
  isBusy: boolean;
  /** Why the command failed, as the end of a sentence. */
  commandFailure: string | null;
}

interface Due {
  path: string;
  folder: string;
  everySeconds: number;
  command: string | undefined;
}

/** Makes a service's backup if it is due and no other process makes it, and passes the newest one to the command. */
export async function makeDueBackup(
  { path, folder, everySeconds, command }: Due,
  make: () => Promise<BackupReport & { removed?: string[] }>,
): Promise<DueOutcome> {
  const outcome: DueOutcome = { made: null, isBusy: false, commandFailure: null };
  using held = holdBackups(path);
  if (!held) return { ...outcome, isBusy: true };
  makeFolder(folder);
  await removeUnfinished(folder);
  const last = (await datedBackups(folder)).at(-1);
  if (isDue(last?.at, everySeconds)) {
    const { file, size, removed = [] } = await make();
    outcome.made = { file, size, removed: removed.length };
  }
  const newest = (await datedBackups(folder)).at(-1);
  if (command === undefined || !newest || newest.isSent) return outcome;
  outcome.commandFailure = (await handOver(command, realpathSync(newest.file), everySeconds)) ?? null;
  if (outcome.commandFailure === null) writeFileSync(sentMark(newest.file), '', { mode: 0o600 });
  return outcome;
}

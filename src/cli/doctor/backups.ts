import { statSync } from 'node:fs';

import type { Config } from '../../config/settings.ts';
import { engineOf } from '../../database/open-store.ts';
import { datedBackups } from '../../database/upkeep/dated-backups.ts';
import { shellWord } from '../../values/shell-word.ts';
import { formatTimestamp } from '../../values/timestamp.ts';
import { age } from '../output.ts';
import { forPostgres } from '../service-backups.ts';
import { failed, type Finding, ok, warning } from './checks.ts';

type BackupSettings = Pick<Config, 'databaseUrl' | 'backupDir' | 'backupEvery' | 'backupCommand'>;

export async function backupsFinding(config: BackupSettings): Promise<Finding> {
  const { databaseUrl, backupDir: folder, backupEvery, backupCommand } = config;
  if (folder === '') return ok('the service makes none, as ROSTER_BACKUP_DIR is empty');
  if (engineOf(databaseUrl) !== 'sqlite') return failed(forPostgres, 'unset ROSTER_BACKUP_DIR');
  const newest = (await datedBackups(folder)).at(-1);
  const make = `roster backup create ${shellWord(folder)}`;
  if (!newest)
    return warning(`none is in ${folder}; "roster serve" makes one within a minute, or logs why it cannot`, make);
  const since = age(formatTimestamp(newest.at));
  if (Date.now() - newest.at.getTime() > 2 * backupEvery * 1_000)
    return warning(`the newest in ${folder} is too old, from ${since}; the log of "roster serve" says why`, make);
  if (backupCommand !== '' && !newest.isSent)
    return warning(
      `ROSTER_BACKUP_COMMAND has not copied the newest, from ${since}`,
      `${shellWord(backupCommand)} ${shellWord(newest.file)}`,
    );
  const open = openToOthers(folder);
  if (open !== undefined) return warning(open, `chmod go-w ${shellWord(folder)}`);
  return ok(`the newest in ${folder} is from ${since}`);
}

export function backupWarnings({
  backupDir,
  backupCommand,
}: Pick<BackupSettings, 'backupDir' | 'backupCommand'>): string[] {
  if (backupDir !== '') return [openToOthers(backupDir) ?? []].flat();
  return backupCommand === '' ? [] : ['ROSTER_BACKUP_COMMAND does nothing without ROSTER_BACKUP_DIR'];
}

function openToOthers(folder: string): string | undefined {
  const { mode = 0 } = statSync(folder, { throwIfNoEntry: false }) ?? {};
  if ((mode & 0o022) === 0) return undefined;
  return `other users of this machine may write to ROSTER_BACKUP_DIR, and so replace backups`;
}

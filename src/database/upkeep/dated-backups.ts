import { existsSync, rmSync, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

import { fileStamp } from '../../values/timestamp.ts';
import type { Database } from '../database.ts';
import { type BackupReport, backUp, digestFile } from './backup.ts';

const stamp = String.raw`roster-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)Z\.db`;
const dated = new RegExp(`^${stamp}$`);
const unfinished = new RegExp(String.raw`^(${stamp})\.(\d+)(?:-\d+)?\.unfinished(?:-journal)?$`);

interface DatedBackup {
  file: string;
  at: Date;
  isSent: boolean;
}

/** Finished ones with their digest, oldest first; those dated in the future come first. None if there is no folder. */
export async function datedBackups(folder: string): Promise<DatedBackup[]> {
  const entries = await entriesOf(folder);
  const names = new Set(entries.map(({ name }) => name));
  const now = Date.now();
  const rank = ({ at }: DatedBackup) => (at.getTime() > now ? at.getTime() - Number.MAX_SAFE_INTEGER : at.getTime());
  return entries
    .filter((one) => one.isFile() && dated.test(one.name) && names.has(digestFile(one.name)))
    .map(({ name }) => ({ file: join(folder, name), at: timeOf(name), isSent: names.has(sentMark(name)) }))
    .toSorted((one, other) => rank(one) - rank(other));
}

async function entriesOf(folder: string) {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

function timeOf(name: string): Date {
  const [, day = '', hour = '', minute = '', second = ''] = dated.exec(name) ?? [];
  return new Date(`${day}T${hour}:${minute}:${second}Z`);
}

/** Names the empty file beside a backup that has been copied elsewhere. */
export function sentMark(file: string): string {
  return `${file}.sent`;
}

/** Makes a backup named by its time. Once it is verified, all but the newest `keep` dated backups are removed. */
export async function backUpInto(
  database: Database,
  path: string,
  folder: string,
  keep: number | undefined,
  now = new Date(),
): Promise<BackupReport & { removed?: string[] }> {
  const file = join(folder, `roster-${fileStamp(now)}.db`);
  const report = await backUp(database, path, file);
  return keep === undefined ? report : { ...report, removed: await removeAllBut(folder, file, keep) };
}

/** Keeps `made` even if the clock was set back. */
async function removeAllBut(folder: string, made: string, keep: number): Promise<string[]> {
  const others = (await datedBackups(folder)).map(({ file }) => file).filter((file) => file !== made);
  const surplus = others.slice(0, Math.max(0, others.length - keep + 1));
  for (const file of surplus) {
    rmSync(file);
    for (const beside of [sentMark(file), digestFile(file)]) rmSync(beside, { force: true });
  }
  return surplus;
}

const abandonedAfterMs = 86_400_000;

/** Removes the unfinished backups of dead processes, or of the process with this id. */
export async function removeUnfinished(folder: string, ofProcess?: number): Promise<void> {
  for (const { name } of await entriesOf(folder)) {
    const found = unfinished.exec(name);
    if (!found) continue;
    const [id, file] = [Number(found.at(-1)), join(folder, found[1] ?? '')];
    if (ofProcess === undefined ? !isAbandoned(join(folder, name), id) : id !== ofProcess) continue;
    // A backup that has its name is complete, and keeps its digest.
    if (!existsSync(file)) rmSync(digestFile(file), { force: true });
    rmSync(join(folder, name), { force: true });
  }
}

/** A new process may have the id of a dead one: this one has begun none yet, and the age tells the others. */
function isAbandoned(file: string, id: number): boolean {
  const { mtimeMs = 0 } = statSync(file, { throwIfNoEntry: false }) ?? {};
  return id === process.pid || !isAlive(id) || Date.now() - mtimeMs > abandonedAfterMs;
}

function isAlive(id: number): boolean {
  try {
    return process.kill(id, 0);
  } catch (error) {
    // Another user's process is alive as well.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

import { existsSync, statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

import type { Command } from 'commander';

import { isUsable } from '../api-keys.ts';
import { readConfig } from '../config.ts';
import { requireIntegrity } from '../database/backup.ts';
import type { Database } from '../database/database.ts';
import { migrationStatus } from '../database/migrate.ts';
import { openDatabase, sqlitePath, storeOn } from '../database/open-store.ts';
import { formatTimestamp } from '../timestamps.ts';
import { Exit, exitCodes, printResult } from './output.ts';
import { examples, jsonOption } from './parts.ts';

interface Check {
  check: string;
  status: 'ok' | 'warning' | 'failed';
  finding: string;
  /** What mends it; null where there is nothing to mend. */
  command: string | null;
}

type Finding = string | { warning: string; command: string } | { failed: string; command: string };

const freeBytesMin = 256 * 1024 * 1024;
const expiresSoonMs = 14 * 86_400_000;

export function doctorCommand(parent: Command): void {
  parent
    .command('doctor')
    .description('check settings, database and people, and say what mends each finding')
    .addOption(jsonOption())
    .addHelpText('after', examples('roster doctor', 'roster doctor --json'))
    .action(async (options: { json?: boolean }) => {
      const checks = await examine();
      const ok = checks.every(({ status }) => status !== 'failed');
      printResult({ ok, checks }, options, () => checks.map(line).join('\n'));
      const badSettings = checks.some(({ check, status }) => check === 'settings' && status === 'failed');
      if (!ok) throw new Exit(badSettings ? exitCodes.settings : exitCodes.failed);
    });
}

function line({ check, status, finding, command }: Check): string {
  return `${status.padEnd(7)}  ${check.padEnd(10)}  ${finding}${command === null ? '' : `\n${' '.repeat(21)}mend: ${command}`}`;
}

async function examine(): Promise<Check[]> {
  const checks: Check[] = [];
  const check = async <T>(
    name: string,
    command: string,
    work: () => Promise<[T, Finding]>,
  ): Promise<T | undefined> => {
    try {
      const [value, finding] = await work();
      checks.push(toCheck(name, finding));
      return value;
    } catch (error) {
      checks.push({ check: name, status: 'failed', finding: (error as Error).message, command });
      return undefined;
    }
  };

  await check('node', 'install Node 24.15 or later', async () => [true, nodeFinding()]);
  const config = await check('settings', 'mend the variables named', async () => [
    readConfig(process.env),
    'all settings are valid',
  ]);
  if (!config) return checks;
  const path = sqlitePath(config.databaseUrl);
  await check('file', 'set DATABASE_URL', async () => [true, fileFinding(path)]);
  await check('disk', 'make room on the disk', async () => [true, await diskFinding(path)]);
  if (!existsSync(path)) return checks;
  const database = await check('database', 'set DATABASE_URL', async () => [
    openDatabase(config.databaseUrl, { readOnly: true }),
    'opens and is one of Roster',
  ]);
  if (!database) return checks;
  await using _ = database;
  const isWhole = await check('integrity', 'restore the last backup', async () => {
    await requireIntegrity(database);
    return [true, 'pages and keys are whole'];
  });
  if (isWhole !== true) return checks;
  const current = await check('schema', 'start the newer program', async () => schemaFinding(database));
  if (current !== true) return checks;
  await check('owners', 'roster members import FILE --project ID', async () => [
    true,
    await ownerFinding(database),
  ]);
  await check('keys', 'roster keys create --project ID --name NAME', async () => [
    true,
    await keyFinding(database),
  ]);
  return checks;
}

function toCheck(check: string, finding: Finding): Check {
  if (typeof finding === 'string') return { check, status: 'ok', finding, command: null };
  return 'warning' in finding
    ? { check, status: 'warning', finding: finding.warning, command: finding.command }
    : { check, status: 'failed', finding: finding.failed, command: finding.command };
}

function nodeFinding(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const finding = `Node ${process.versions.node}`;
  if (major > 24 || (major === 24 && minor >= 15)) return finding;
  return { failed: `${finding} is too old`, command: 'install Node 24.15 or later' };
}

function fileFinding(path: string): Finding {
  if (!existsSync(path)) return { failed: 'there is no database yet', command: 'roster migrate' };
  const { size, mode } = statSync(path);
  const finding = `${Math.ceil(size / 1_024)} KiB`;
  if ((mode & 0o077) === 0) return finding;
  return { warning: `${finding}, readable by other users of this machine`, command: `chmod 600 ${path}` };
}

async function diskFinding(path: string): Promise<Finding> {
  let folder = dirname(resolve(path));
  while (!existsSync(folder)) folder = dirname(folder);
  const { bavail, bsize } = await statfs(folder);
  const free = `${Math.floor((bavail * bsize) / 1_048_576)} MiB free`;
  return bavail * bsize >= freeBytesMin
    ? free
    : { warning: `only ${free}`, command: 'make room on the disk' };
}

async function schemaFinding(database: Database): Promise<[boolean, Finding]> {
  const { applied, pending } = await migrationStatus(database);
  if (pending.length === 0) return [true, `current (${applied.length} applied)`];
  return [false, { failed: `${pending.length} migrations are pending`, command: 'roster migrate' }];
}

async function ownerFinding(database: Database): Promise<Finding> {
  const projects = await storeOn(database).listProjectsWithoutOwner();
  if (projects.length === 0) return 'every project with members has its Owner';
  return {
    warning: `${projects.length} projects have members but no Owner: ${projects.slice(0, 5).join(', ')}`,
    command: 'roster members import FILE --project ID (with a row whose role is Owner)',
  };
}

async function keyFinding(database: Database): Promise<Finding> {
  const store = storeOn(database);
  const now = new Date();
  const soon = formatTimestamp(new Date(now.getTime() + expiresSoonMs));
  const without: string[] = [];
  const expiring: string[] = [];
  for (const project of await store.listProjects()) {
    const keys = await store.listApiKeys(project.id);
    const usable = keys.filter((key) => isUsable(key, now));
    if (usable.length === 0) without.push(project.id);
    else if (usable.every((key) => key.expires_at !== null && key.expires_at <= soon))
      expiring.push(project.id);
  }
  if (without.length > 0) {
    return {
      warning: `no usable key in: ${without.slice(0, 5).join(', ')}`,
      command: 'roster keys create --project ID --name NAME',
    };
  }
  if (expiring.length > 0) {
    return {
      warning: `all keys expire within 14 days in: ${expiring.slice(0, 5).join(', ')}`,
      command: 'roster keys rotate KEY_ID',
    };
  }
  return 'every project has a usable key';
}

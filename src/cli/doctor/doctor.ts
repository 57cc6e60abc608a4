import type { Command } from 'commander';

import { isUsable } from '../../api-keys/api-key.ts';
import { readConfig } from '../../config.ts';
import type { Database } from '../../database/database.ts';
import { migrationStatus } from '../../database/migrate.ts';
import { sqlitePath, storeOn } from '../../database/open-store.ts';
import { formatTimestamp } from '../../values/timestamp.ts';
import { Exit, exitCodes, printResult } from '../output.ts';
import { examples, jsonOption } from '../parts.ts';
import { type Check, examination, type Finding } from './checks.ts';
import { examinePostgres } from './postgres.ts';
import { examineRedis } from './redis.ts';
import { examineSqlite } from './sqlite.ts';

const expiresSoonMs = 14 * 86_400_000;

export function doctorCommand(parent: Command): void {
  parent
    .command('doctor')
    .description('check settings, database and people, and say what mends each finding')
    .addOption(jsonOption())
    .addHelpText('after', examples('roster doctor', 'roster doctor --json'))
    .action(async (options: { json?: boolean }) => {
      const checks = await examineAll();
      const ok = checks.every(({ status }) => status !== 'failed');
      printResult({ ok, checks }, options, () => checks.map(line).join('\n'));
      const badSettings = checks.some(({ check, status }) => check === 'settings' && status === 'failed');
      if (!ok) throw new Exit(badSettings ? exitCodes.settings : exitCodes.failed);
    });
}

function line({ check, status, finding, command }: Check): string {
  return `${status.padEnd(7)}  ${check.padEnd(12)}  ${finding}${command === null ? '' : `\n${' '.repeat(23)}mend: ${command}`}`;
}

async function examineAll(): Promise<Check[]> {
  const { checks, examine } = examination();
  await examine('node', 'install Node 24.15 or later', async () => [true, nodeFinding()]);
  const config = await examine('settings', 'mend the variables named', async () => [
    readConfig(process.env),
    'all settings are valid',
  ]);
  if (!config) return checks;
  await examineRedis(examine, config);
  const path = sqlitePath(config.databaseUrl);
  const database = await (path === undefined
    ? examinePostgres(examine, config)
    : examineSqlite(examine, path));
  if (!database) return checks;
  await using _ = database;
  const current = await examine('schema', 'start the newer program', () => schemaFinding(database));
  const isBlind = checks.some(({ check, status }) => check === 'row-security' && status !== 'ok');
  if (current !== true || isBlind) return checks;
  await examine('owners', 'roster members import FILE --project ID', async () => [
    true,
    await ownerFinding(database),
  ]);
  await examine('positions', memberLeaves, async () => [true, await positionFinding(database)]);
  await examine('keys', 'roster keys create --project ID --name NAME', async () => [
    true,
    await keyFinding(database),
  ]);
  return checks;
}

function nodeFinding(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const finding = `Node ${process.versions.node}`;
  if (major > 24 || (major === 24 && minor >= 15)) return finding;
  return { failed: `${finding} is too old`, command: 'install Node 24.15 or later' };
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

const memberLeaves = 'see "A member who leaves" in docs/operating.md';

async function positionFinding(database: Database): Promise<Finding> {
  const projects = await storeOn(database).listProjectsWithGaps();
  const unnoted = projects.filter(({ isNoted }) => !isNoted);
  const named = (some: typeof projects) => some.slice(0, 5).map(({ id }) => id);
  if (unnoted.length > 0) {
    return {
      failed: `the pages of members are wrong in ${unnoted.length} projects: ${named(unnoted).join(', ')}`,
      command: memberLeaves,
    };
  }
  if (projects.length === 0) return 'members are numbered without gaps';
  return {
    warning: `members were removed by hand, and pages take longer, in: ${named(projects).join(', ')}`,
    command: 'roster members export --project ID --output FILE, then roster members import FILE --project ID',
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

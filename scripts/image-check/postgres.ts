import assert from 'node:assert/strict';
import { chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { administer, startPostgres } from '../../test/support/postgres.ts';
import { statementsOfRole } from '../../test/support/role-of-deploy.ts';

const userOfImage = 10_001;

/**
 * Migrates a PostgreSQL and serves it, as compose.postgres.yaml does: with the role of postgres-role.sql, and its URL in a file that
 * the user of the image alone may read.
 */
export async function servePostgres(
  folder: string,
  docker: (...args: string[]) => Promise<string>,
  untilReady: () => Promise<void>,
): Promise<void> {
  await using server = await startPostgres(50);
  await administer(server.url, ...statementsOfRole());
  const secrets = join(folder, 'secrets');
  const url = join(secrets, 'database-url');
  mkdirSync(secrets);
  writeFileSync(url, `postgres://roster@127.0.0.1:${server.port}/roster\n`, { mode: 0o400 });
  chownSync(url, userOfImage, userOfImage);
  const options = ['--read-only', '--cap-drop', 'ALL', '--network', 'host', '--volume', `${secrets}:/run/secrets:ro`];
  const image = ['--env', 'DATABASE_URL_FILE=/run/secrets/database-url', 'roster'];
  await docker('run', '--rm', ...options, ...image, 'migrate');
  await docker('run', '--detach', '--name', 'roster', ...options, ...image);
  await untilReady();
  assert.match(await docker('exec', 'roster', 'roster', 'doctor'), /no superuser/);
  await docker('stop', 'roster');
  assert.equal(await docker('inspect', '--format', '{{.State.ExitCode}}', 'roster'), '0', 'it stopped by itself');
}

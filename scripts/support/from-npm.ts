import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const installMs = 600_000;

/**
 * Installs a package that only a check needs into .cache/, and returns the path of a file in it. Undefined if npm cannot install it,
 * as without a network or for this platform.
 */
export function fromNpm(name: string, version: string, file: string): string | undefined {
  const place = join(import.meta.dirname, '../../.cache', `${name.replace('/', '-')}-${version}`);
  const path = join(place, 'node_modules', name, file);
  if (existsSync(path)) return path;
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, 'package.json'), '{}');
  const args = ['install', '--no-audit', '--no-fund', '--ignore-scripts', `${name}@${version}`];
  const { status } = spawnSync('npm', args, { cwd: place, stdio: 'ignore', timeout: installMs });
  if (status === 0 && existsSync(path)) return path;
  console.log(`skipped: npm cannot install ${name} ${version}`);
  return undefined;
}

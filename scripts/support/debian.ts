import { spawnSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';

const installMs = 600_000;

/** Installs missing packages of Debian; a file of each shows whether it is there. Returns why it failed. */
export function lackOf(packages: Readonly<Record<string, string>>): string | undefined {
  const missing = Object.entries(packages).filter(([file]) => globSync(file).length === 0);
  if (missing.length === 0) return undefined;
  const names = missing.map(([, name]) => name).join(' ');
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) {
    return `only root on Debian can install what is missing: ${names}`;
  }
  for (const command of ['update', `install --yes --no-install-recommends ${names}`]) {
    const args = ['-qq', '-o', 'DPkg::Lock::Timeout=300', ...command.split(' ')];
    const { status } = spawnSync('apt-get', args, {
      stdio: ['ignore', 'ignore', 'inherit'],
      timeout: installMs,
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    });
    if (status !== 0) return `"apt-get ${command}" failed`;
  }
  return undefined;
}

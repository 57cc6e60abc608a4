import { spawnSync } from 'node:child_process';
import { existsSync, globSync, rmSync, writeFileSync } from 'node:fs';

const installMs = 600_000;

/** Where Debian's packages ask whether they may start their services. */
const policy = '/usr/sbin/policy-rc.d';

/**
 * Installs missing packages of Debian, without starting their services; a file of each shows whether it is there. Returns why
 * it failed.
 */
export function lackOf(packages: Readonly<Record<string, string>>): string | undefined {
  const missing = Object.entries(packages).filter(([file]) => globSync(file).length === 0);
  if (missing.length === 0) return undefined;
  const names = missing.map(([, name]) => name).join(' ');
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) {
    return `only root on Debian can install what is missing: ${names}`;
  }
  using undo = new DisposableStack();
  if (!existsSync(policy)) {
    writeFileSync(policy, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
    undo.defer(() => rmSync(policy));
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

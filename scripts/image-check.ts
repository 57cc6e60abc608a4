/**
 * Builds the image without an engine or a registry, and runs the command lines of deploy/image.md. Debian's packages do both,
 * as root: buildah builds on a base of debootstrap and this Node, and podman stands in for docker.
 * `-- --from COMMIT` begins with the image of that commit, so that the check upgrades from it and rolls back to it.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import type { Scratch } from './image-check/machine.ts';
import { lackOf } from './support/debian.ts';

const packages = {
  '/usr/sbin/debootstrap': 'debootstrap',
  '/usr/bin/buildah': 'buildah',
  '/usr/bin/podman': 'podman',
  '/usr/sbin/runc': 'runc',
  '/usr/lib/cni/bridge': 'containernetworking-plugins',
  '/usr/sbin/iptables': 'iptables',
  '/usr/sbin/ip': 'iproute2',
};
const buildMinutes = 20;
const askMinutes = 10;

// Control-C ends the running stage, and then this program cleans up.
process.on('SIGINT', () => undefined);
const { from } = parseArgs({ options: { from: { type: 'string' } } }).values;
const reason = reasonToSkip();
if (reason === undefined) process.exitCode = check();
else console.log(`image: skipped, because ${reason}.`);

function reasonToSkip(): string | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'only root on Linux can build and run it';
  return lackOf(packages);
}

function check(): number {
  const folder = mkdtempSync(join(tmpdir(), 'image-'));
  // PostgreSQL runs as another user.
  chmodSync(folder, 0o711);
  try {
    const scratch: Scratch = { folder, ...(from !== undefined && { from }) };
    const done = stage('build', scratch, [], buildMinutes) && stage('ask', scratch, ['--net'], askMinutes);
    console.log(done ? 'image: all passed' : 'image: failed');
    return done ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
    spawnSync('find', ['/sys/fs/cgroup', '-depth', '-type', 'd', '-path', '*/libpod_parent*', '-delete'], {
      stdio: 'ignore',
    });
  }
}

/** Runs in namespaces of its own, so that its processes, mounts and networks always end with it. */
function stage(name: string, scratch: Scratch, namespaces: string[], limit: number): boolean {
  const script = fileURLToPath(new URL(`image-check/${name}.ts`, import.meta.url));
  const unshare = ['--mount', '--pid', '--fork', '--kill-child', '--mount-proc', ...namespaces];
  const { status } = spawnSync('unshare', [...unshare, process.execPath, script, JSON.stringify(scratch)], {
    stdio: ['ignore', 'inherit', 'inherit'],
    timeout: minutes(limit),
    killSignal: 'SIGKILL',
    env: {
      ...process.env,
      PATH: [join(scratch.folder, 'bin'), process.env['PATH'] ?? ''].join(delimiter),
      // Unfinished layers and the caches of builds.
      TMPDIR: join(scratch.folder, 'tmp'),
      CONTAINERS_CONF: join(scratch.folder, 'containers.conf'),
    },
  });
  return status === 0;
}

function minutes(count: number): number {
  return count * 60_000;
}

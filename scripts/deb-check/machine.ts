import { execFileSync, type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

import { type Running, spawnProgram } from '../../test/support/program.ts';

/** An empty Debian in a folder, with two versions of the package. systemd does not run there. */
export interface Machine extends AsyncDisposable {
  at: string;
  /** Paths in that Debian of the packages of this release and of a later one. */
  packages: { current: string; next: string };
  /** Path in that Debian of this release's tarball. */
  tarball: string;
  /** Runs a line as root or another user. Throws if it fails, unless `mayFail`. */
  run: (line: string, given?: { user?: string; input?: string; mayFail?: boolean }) => Ran;
  /** Starts a line as the service's user, with these settings beside those of its file. */
  start: (line: string, env: Record<string, string>) => Running;
}

export type Ran = Pick<SpawnSyncReturns<string>, 'status' | 'stdout' | 'stderr'>;

const debootstrapMs = 1_200_000;

/** `suite` is a release of Debian. */
export function openMachine(root: string, suite: string, file: string, tarball: string): Machine {
  const base = join(root, `.cache/${suite}`);
  if (!existsSync(base)) {
    // An interrupted one is no base.
    const unfinished = `${base}.unfinished`;
    rmSync(unfinished, { recursive: true, force: true });
    const args = ['--variant=minbase', suite, unfinished];
    execFileSync('debootstrap', args, { stdio: 'ignore', timeout: debootstrapMs });
    renameSync(unfinished, base);
  }
  using undo = new DisposableStack();
  const at = mkdtempSync(join(tmpdir(), 'roster-deb-'));
  undo.defer(() => rmSync(at, { recursive: true, force: true }));
  execFileSync('cp', ['-a', `${base}/.`, at]);
  execFileSync('mount', ['-t', 'proc', 'proc', join(at, 'proc')]);
  undo.defer(() => execFileSync('umount', [join(at, 'proc')]));
  const packages = { current: copyIn(at, file), next: makeNext(at, file) };
  const machine = { at, packages, tarball: copyIn(at, tarball) };
  const made = undo.move();
  const running = new Set<Running>();
  const chroot = (line: string, user: string) => [
    at,
    'setpriv',
    `--reuid=${user}`,
    `--regid=${groupOf(user)}`,
    '--init-groups',
    'sh',
    '-c',
    line,
  ];
  const run: Machine['run'] = (line, { user = 'root', input = '', mayFail = false } = {}) => {
    const env = { PATH: process.env['PATH'] ?? '', DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C' };
    const ran = spawnSync('chroot', chroot(line, user), { encoding: 'utf8', input, env, cwd: '/' });
    if (ran.status !== 0 && !mayFail) throw new Error(`${line} ended with ${ran.status}: ${ran.stdout}${ran.stderr}`);
    return ran;
  };
  return {
    ...machine,
    run,
    start: (line, env) => {
      const started = spawnProgram('chroot', chroot(`exec ${line}`, 'roster'), { cwd: '/', env });
      running.add(started);
      return started;
    },
    [Symbol.asyncDispose]: async () => {
      for (const { child } of running) child.kill('SIGKILL');
      await Promise.all([...running].map(({ ended }) => ended));
      made.dispose();
    },
  };
}

function groupOf(user: string): string {
  return user === 'nobody' ? 'nogroup' : user;
}

function copyIn(at: string, file: string): string {
  execFileSync('cp', [file, join(at, 'root')]);
  return `/root/${basename(file)}`;
}

/** Builds the package of a later version, whose settings file has one more line. */
function makeNext(at: string, file: string): string {
  const tree = join(at, 'root/next');
  execFileSync('dpkg-deb', ['--raw-extract', file, tree]);
  const control = join(tree, 'DEBIAN/control');
  const settings = join(tree, 'etc/roster/roster.env');
  writeFileSync(control, readFileSync(control, 'utf8').replace(/^Version: .*$/m, 'Version: 99.0.0'));
  writeFileSync(settings, `${readFileSync(settings, 'utf8')}# Of the next version.\n`);
  execFileSync('dpkg-deb', ['--root-owner-group', '-Znone', '--build', tree, join(at, 'root/next.deb')]);
  rmSync(tree, { recursive: true });
  mkdirSync(join(at, 'root'), { recursive: true });
  return '/root/next.deb';
}

import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Throws where lintian objects. */
export function checkLint(file: string): void {
  judge('lintian', ['--allow-root', '--fail-on', 'error,warning', file], 'lintian has no objection');
}

/** Ten times systemd's own measure, in which 10 is the worst. */
const exposureMax = '10';

/** Throws if systemd cannot read a unit that is installed below `root`, or finds it exposed. */
export function checkUnits(root: string): void {
  const folder = join(root, 'root/units');
  mkdirSync(folder);
  // Verified among the units of this machine, because an empty Debian has none.
  const [service, instance] = ['roster.service', 'roster@.service'].map((name) => {
    const text = readFileSync(join(root, 'usr/lib/systemd/system', name), 'utf8');
    const file = join(folder, name.replace('@', '@8081'));
    writeFileSync(file, text.replace('ExecStart=/', `ExecStart=${root}/`));
    return file;
  }) as [string, string];
  judge('systemd-analyze', ['verify', '--man=no', service, instance], 'systemd reads both units');
  const safely = ['security', '--offline=true', `--threshold=${exposureMax}`];
  judge('systemd-analyze', [...safely, service], 'systemd finds the service safe');
}

function judge(program: string, args: readonly string[], promise: string): void {
  const { error, status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  if (error) return console.log(`skipped ${program}: it is not installed`);
  // systemd-analyze exits with 0 after a warning.
  if (status !== 0 || stderr.includes('.service:')) throw new Error(`${program} objects: ${stdout}${stderr}`);
  console.log(`ok    ${promise}`);
}

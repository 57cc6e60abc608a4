/**
 * Installs the .deb of `release/` into an empty Debian, made by debootstrap, and works there as an operator does: first project,
 * people, backup and restore, upgrade and rollback, remove and purge. Needs root, debootstrap and a mirror of Debian.
 *
 *   npm run release && npm run release:deb-check
 *   npm run release:deb-check -- bookworm    on another Debian than trixie
 */
import { existsSync, globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { checkLint, checkUnits } from './deb-check/lint.ts';
import { openMachine } from './deb-check/machine.ts';
import { steps } from './deb-check/walk.ts';
import { lackOf } from './support/debian.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const [file, tarball] = globSync(['release/roster_*_amd64.deb', 'release/roster-*-linux-x64.tar.gz'], { cwd: root })
  .toSorted((one, other) => Number(one.endsWith('.gz')) - Number(other.endsWith('.gz')))
  .map((name) => `${root}${name}`);
const [suite = 'trixie'] = process.argv.slice(2);
const lacking = whatIsLacking();

if (lacking !== undefined) console.log(`skipped: ${lacking}`);
else if (file === undefined || tarball === undefined)
  throw new Error('release/ has no .deb for this machine; run "npm run release"');
else {
  checkLint(file);
  await using machine = openMachine(root, suite, file, tarball);
  for (const [promise, step] of Object.entries(steps)) {
    await step(machine);
    console.log(`ok    ${promise}`);
    if (promise.startsWith('installs ')) checkUnits(machine.at);
  }
  console.log('deb-check: all passed');
}

function whatIsLacking(): string | undefined {
  if (process.arch !== 'x64' || !existsSync('/etc/debian_version')) return 'this check needs Debian on x64';
  if (process.getuid?.() !== 0) return 'only root can make a root file system';
  return lackOf({ '/usr/sbin/debootstrap': 'debootstrap' });
}

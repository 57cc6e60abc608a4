/**
 * Installs the .deb of `release/` into an empty Debian, made by debootstrap, and does there what a host does: the first project,
 * people, a backup and its restore, an upgrade and the way back, remove and purge. Needs root, debootstrap and a mirror of Debian.
 *
 *   npm run release && npm run release:deb-check
 */
import { spawnSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { checkLint, checkUnits } from './deb/lint.ts';
import { openMachine } from './deb/machine.ts';
import { steps } from './deb/walk.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const [file] = globSync(`release/roster_*_amd64.deb`, { cwd: root }).map((name) => `${root}${name}`);
const lacking = whatIsLacking();

if (lacking !== undefined) console.log(`skipped: ${lacking}`);
else if (file === undefined) throw new Error('release/ has no .deb for this machine; run "npm run release"');
else {
  checkLint(file);
  await using machine = await openMachine(root, file);
  for (const [promise, step] of Object.entries(steps)) {
    await step(machine);
    console.log(`ok    ${promise}`);
    if (promise.startsWith('installs ')) checkUnits(machine.at);
  }
  console.log('deb-check: all passed');
}

function whatIsLacking(): string | undefined {
  if (process.arch !== 'x64' || !existsSync('/etc/debian_version')) return 'this is for Debian on x64';
  if (process.getuid?.() !== 0) return 'a root file system is made by root alone';
  if (spawnSync('debootstrap', ['--version']).error) return 'debootstrap is not installed ("apt install debootstrap")';
  return undefined;
}

/**
 * Whether a file that is tracked by git holds a secret: one of the many forms that secretlint knows, or a key of ours, of
 * which nothing but the checksum tells a real one from a look-alike.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { keysIn } from './supply-chain/keys.ts';

const folder = new URL('../', import.meta.url);
const root = fileURLToPath(folder);
const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\0')
  .filter((file) => file !== '');

const keys = files.flatMap((file) =>
  keysIn(readFileSync(new URL(file, folder), 'latin1')).map((key) => `${file}: ${key}`),
);
for (const key of keys) console.log(`${key} is a key of Roster; revoke it, see SECURITY.md`);

const { status, stdout, stderr } = spawnSync(
  'tooling/node_modules/.bin/secretlint',
  ['--secretlintrc', 'tooling/secretlint.json', '--no-glob', '--no-color', ...files],
  { cwd: root, encoding: 'utf8' },
);
console.log(`${files.length} files`, stdout, stderr);
if (status !== 0 || keys.length > 0) process.exitCode = 1;

import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Writes a generated file, formatted; with --check only says whether it is current. `path` begins at the root. */
export function writeGenerated(path: string, source: string, command: string): void {
  const file = `${root}${path}`;
  const args = ['--stdin-filepath', file];
  const text = execFileSync(`${root}node_modules/.bin/oxfmt`, args, { cwd: root, input: source, encoding: 'utf8' });
  if (!process.argv.includes('--check')) return writeFileSync(file, text);
  if (readFileSync(file, 'utf8') === text) return;
  console.error(`${path} is stale; run: ${command}`);
  process.exitCode = 1;
}

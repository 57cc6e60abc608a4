import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The last of each line that still is in use. */
export const olderNodes = ['20.20.2', '22.23.3', '24.21.0'];

/** The path of the Node of this version, in a list: an empty one, and a sentence, where npm cannot bring it. */
export function nodeOf(version: string): string[] {
  return brought(`node-${process.platform}-${process.arch}`, version, 'bin/node');
}

/** The same for npm, as the path of its program. */
export function npmOf(version: string): string[] {
  return brought('npm', version, 'bin/npm-cli.js');
}

/** They are kept in .cache/, as a Node takes 200 MB. */
function brought(name: string, version: string, file: string): string[] {
  const place = join(import.meta.dirname, '../.cache', `${name}-${version}`);
  const path = join(place, 'node_modules', name, file);
  if (!existsSync(path)) {
    mkdirSync(place, { recursive: true });
    writeFileSync(join(place, 'package.json'), '{}');
    const args = ['install', '--no-audit', '--no-fund', '--ignore-scripts', `${name}@${version}`];
    if (spawnSync('npm', args, { cwd: place }).status !== 0)
      console.log(`skipped: npm cannot bring ${name} ${version}`);
  }
  return existsSync(path) ? [path] : [];
}

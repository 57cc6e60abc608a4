import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Writes the files of a commit into a new folder without git. */
export function checkOut(commit: string, folder: string): void {
  const tar = execFileSync('git', ['archive', '--format=tar', commit], { cwd: root, maxBuffer: 2 ** 30 });
  mkdirSync(folder);
  execFileSync('tar', ['-x', '-C', folder], { input: tar });
}

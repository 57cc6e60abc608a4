import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const root = join(import.meta.dirname, '..');
/** All that a build reads. */
const sources = [
  'src/**/*.ts',
  'console/{index.html,*.ts,*.json}',
  'console/src/**/*.*',
  'clients/typescript/src/**/*.ts',
  'scripts/*.ts',
  'migrations/*.sql',
  '{package.json,package-lock.json,openapi.json,tsconfig.json,LICENSE}',
];
const results = ['dist/main.js', 'dist/console/index.html'].map((file) => join(root, file));
const note = join(root, '.cache/built');

/** A digest of the sources, and when the results were written: another build may have replaced them. */
function state(): string {
  const digest = createHash('sha256');
  for (const file of globSync(sources, { cwd: root }).toSorted()) {
    digest.update(`${file}\0`).update(readFileSync(join(root, file)));
  }
  return [digest.digest('hex'), ...results.map((file) => statSync(file).mtimeMs)].join(' ');
}

/** Whether `dist` is what `npm run build` makes of the sources as they are. */
export function isBuilt(): boolean {
  return [note, ...results].every((file) => existsSync(file)) && readFileSync(note, 'utf8') === state();
}

// Run by itself, at the end of a build, it notes what was built.
if (import.meta.main) {
  mkdirSync(dirname(note), { recursive: true });
  writeFileSync(note, state());
}

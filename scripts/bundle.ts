/**
 * Writes `dist/`: the program in parts that load when needed, its threads, and the files that it reads. It needs no packages;
 * `THIRD-PARTY-LICENSES` names the bundled ones.
 */
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

import { type OutputOptions, rolldown } from 'rolldown';

import { licencesOf } from './licences.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const dist = join(root, 'dist');
// The bundle keeps the name of each source before its code, so that a stack trace leads there.
const comments = { jsdoc: false, annotation: false, legal: false };
const threads = ['search-thread', 'checkpoint-thread'];

/** Returns the bundled files. */
async function bundle(source: string, output: OutputOptions): Promise<string[]> {
  await using bundled = await rolldown({
    cwd: root,
    input: source,
    platform: 'node',
    // pg works without it.
    resolve: { alias: { 'pg-native': false } },
    onLog: (_, { message }) => {
      throw new Error(message);
    },
  });
  const { output: written } = await bundled.write(output);
  return written.flatMap((one) => (one.type === 'chunk' ? Object.keys(one.modules) : []));
}

const technologies = /^(cli|database|http|mcp|jobs|files|chatling|observability|outgoing|main\.ts)/;

function isOfDomain(file: string): boolean {
  const path = relative(join(root, 'src'), file);
  return !path.startsWith('..') && !technologies.test(path);
}

// The console and the reference have builds of their own.
mkdirSync(dist, { recursive: true });
for (const name of readdirSync(dist)) {
  if (name !== 'console' && name !== 'reference') rmSync(join(dist, name), { recursive: true });
}
// Many small parts would make a start slow. `--version` loads the first alone.
const groups = [
  { name: 'version', test: /src\/version/, priority: 3 },
  { name: 'assets', test: /src\/assets/, priority: 2 },
  { name: 'domain', test: isOfDomain, priority: 1 },
  { name: 'common', minShareCount: 8 },
];
const modules = await bundle('src/main.ts', {
  dir: dist,
  chunkFileNames: '[name].js',
  codeSplitting: { groups },
  comments,
});
// A process of a backup starts from this text, with its modules in memory.
modules.push(...(await bundle('src/child.ts', { file: join(dist, 'child.js'), comments })));
for (const name of threads) {
  const file = join(dist, `threads/${name}.js`);
  // CommonJS, because a thread that starts from text is no module.
  modules.push(...(await bundle(`src/database/sqlite/${name}.ts`, { file, format: 'cjs', comments })));
}
chmodSync(join(dist, 'main.js'), 0o755);
for (const name of ['migrations', 'openapi.json', 'LICENSE'])
  cpSync(join(root, name), join(dist, name), { recursive: true });
const { name, version, license, type } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<
  string,
  string
>;
writeFileSync(join(dist, 'package.json'), `${JSON.stringify({ name, version, license, type }, undefined, 2)}\n`);
writeFileSync(join(dist, 'THIRD-PARTY-LICENSES'), licencesOf(modules));

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { extname, sep } from 'node:path';
import { getAssetKeys, getRawAsset, isSea } from 'node:sea';

// The files of the program, by their names in `dist/`. It runs from sources, from `dist/`, or from an executable.

export const isSource = !isSea() && import.meta.url.endsWith('.ts');

// In a child process `child.js` has a copy of this module, and the loaded parts have another; both need one map.
const key = Symbol.for('roster.files');
const inMemory = (Reflect.get(globalThis, key) ?? new Map()) as Map<string, Buffer>;
Reflect.set(globalThis, key, inMemory);

/** Undefined if the program has no such file. Callers must not write to the bytes. */
export function findAsset(name: string): Buffer | undefined {
  const held = inMemory.get(name);
  if (held) return held;
  if (isSea()) return getAssetKeys().includes(name) ? Buffer.from(getRawAsset(name)) : undefined;
  const place = placeOf(name);
  return existsSync(place) ? readFileSync(place) : undefined;
}

export function requireAsset(name: string): Buffer {
  const asset = findAsset(name);
  if (!asset) throw new Error(`the program lacks its file ${name}; install it again`);
  return asset;
}

/** The files in a folder, such as `migrations/`, by their names in it. */
export function assetsIn(folder: string): string[] {
  if (!isSea() && inMemory.size === 0) return readdirSync(placeOf(folder));
  const names = isSea() ? getAssetKeys() : [...inMemory.keys()];
  return names.flatMap((name) => (name.startsWith(folder) ? [name.slice(folder.length)] : []));
}

function placeOf(name: string): URL {
  if (!isSource) return new URL(name, import.meta.url);
  // Sources have migrations beside them; the build writes the others.
  return new URL(`../${name.startsWith('migrations/') ? '' : 'dist/'}${name}`, import.meta.url);
}

/** Holds all files in memory: a process that outlives an upgrade then loads pages and modules of its own version. */
export function holdProgram(): void {
  if (isSource || isSea() || inMemory.size > 0) return;
  for (const path of readdirSync(placeOf('./'), { recursive: true, encoding: 'utf8' })) {
    const name = path.replaceAll(sep, '/');
    // Folders and licences have no extension.
    if (extname(name) !== '') inMemory.set(name, readFileSync(placeOf(name)));
  }
  loadModulesFromMemory();
}

/** The files that a child process needs. */
export function programInMemory(): ReadonlyMap<string, Buffer> {
  return new Map([...inMemory].filter(([name]) => !/^(console|reference)\//.test(name)));
}

export function takeProgram(files: ReadonlyMap<string, Buffer>): void {
  for (const [name, bytes] of files) inMemory.set(name, bytes);
}

/** Makes Node load the program's modules, which import one another as `./name.js`, through `requireAsset`. */
export function loadModulesFromMemory(): void {
  const base = new URL('./', import.meta.url).href;
  registerHooks({
    resolve: (specifier, context, next) => {
      if (!specifier.startsWith('./')) return next(specifier, context);
      return { url: new URL(specifier, base).href, format: 'module', shortCircuit: true };
    },
    load: (url, context, next) => {
      if (!url.startsWith(base)) return next(url, context);
      return { format: 'module', source: requireAsset(url.slice(base.length)), shortCircuit: true };
    },
  });
}

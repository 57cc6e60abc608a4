import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { kept } from '../processes.ts';

export interface Packages {
  /** The version of Node to run it on, which comes from the registry too. */
  node: string;
  /** Exact versions by name. */
  dependencies: Record<string, string>;
  /** Whose install scripts may run: those that compile an add-on. */
  builds: readonly string[];
}

export interface Installed {
  /** Path of the Node. */
  node: string;
  /** Without its Node and without what a compiler left behind. */
  diskMiB: number;
}

const nodePackage = `node-${process.platform}-${process.arch}`;

export function isInstalled(folder: string, packages: Packages): boolean {
  const done = join(folder, 'installed.json');
  return existsSync(done) && readFileSync(done, 'utf8') === manifestOf(packages);
}

/** Installs packages with npm into a folder of their own, unless they are there. Add-ons are compiled: it takes minutes. */
export async function install(folder: string, packages: Packages): Promise<Installed> {
  const modules = join(folder, 'node_modules');
  if (!isInstalled(folder, packages)) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), manifestOf(packages));
    await runNpm(folder, join(modules, nodePackage));
    writeFileSync(join(folder, 'installed.json'), manifestOf(packages));
  }
  const bytes = bytesBelow(modules, (path) => path === join(modules, nodePackage) || /\.[ao]$/.test(path));
  return { node: join(modules, nodePackage, 'bin', 'node'), diskMiB: bytes / 2 ** 20 };
}

function manifestOf({ node, dependencies, builds }: Packages): string {
  return JSON.stringify({
    private: true,
    dependencies: { ...dependencies, [nodePackage]: node },
    allowScripts: Object.fromEntries(builds.map((name) => [name, true])),
  });
}

async function runNpm(folder: string, nodeFolder: string): Promise<void> {
  // Compiled against the headers that come with its Node: nothing is fetched from beside the registry.
  const compiler = { npm_config_nodedir: nodeFolder, npm_config_build_from_source: 'true', JOBS: 'max' };
  using npm = kept(
    spawn('npm', ['install', '--prefix', folder, '--no-audit', '--no-fund', '--loglevel', 'error'], {
      cwd: folder,
      env: { ...process.env, ...compiler },
      stdio: ['ignore', 'ignore', 'inherit'],
    }),
  );
  const [code] = (await once(npm.process, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`npm install ended with ${code}`);
}

function bytesBelow(folder: string, isLeftOut: (path: string) => boolean): number {
  let bytes = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (isLeftOut(path)) continue;
    bytes += entry.isDirectory() ? bytesBelow(path, isLeftOut) : lstatSync(path).size;
  }
  return bytes;
}

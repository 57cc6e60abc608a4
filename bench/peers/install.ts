import { execFile } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);

// Native add-ons are compiled: a quarter of an hour on two slow cores is not unheard of.
const installWithinMs = 1_800_000;

export interface Packages {
  /** The version of Node to run it on, which comes from the registry too. */
  node: string;
  /** Exact versions by name. */
  dependencies: Record<string, string>;
  /** Whose install scripts may run: those that compile an add-on. */
  builds: readonly string[];
}

export interface Installed {
  /** Holds package.json and node_modules. */
  folder: string;
  /** Path of the Node. */
  node: string;
  bytes: number;
}

const nodePackage = `node-${process.platform}-${process.arch}`;

/** Installs packages with npm into a folder of their own, unless the same ones are there already. */
export async function install(folder: string, { node, dependencies, builds }: Packages): Promise<Installed> {
  const manifest = JSON.stringify({
    private: true,
    dependencies: { ...dependencies, [nodePackage]: node },
    allowScripts: Object.fromEntries(builds.map((name) => [name, true])),
  });
  const done = join(folder, 'installed.json');
  const modules = join(folder, 'node_modules');
  if (!existsSync(done) || readFileSync(done, 'utf8') !== manifest) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), manifest);
    await runNpm(folder, join(modules, nodePackage));
    writeFileSync(done, manifest);
  }
  return {
    folder,
    node: join(modules, nodePackage, 'bin', 'node'),
    bytes: bytesBelow(modules, (path) => path === join(modules, nodePackage) || /\.[ao]$/.test(path)),
  };
}

async function runNpm(folder: string, nodeFolder: string): Promise<void> {
  await execute('npm', ['install', '--prefix', folder, '--no-audit', '--no-fund'], {
    cwd: folder,
    env: {
      ...process.env,
      // Compiled against the headers that come with its Node: nothing is fetched from beside the registry.
      npm_config_nodedir: nodeFolder,
      npm_config_build_from_source: 'true',
      JOBS: 'max',
    },
    timeout: installWithinMs,
    maxBuffer: 64 * 1_024 * 1_024,
  });
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

/** The version of an installed package. */
export function versionOf({ folder }: Installed, name: string): string {
  const text = readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

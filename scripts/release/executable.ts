import { execFileSync } from 'node:child_process';
import { copyFileSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, sep } from 'node:path';

import { rolldown } from 'rolldown';

import { nodeArguments } from '../../test/support/program.ts';

export interface Release {
  root: string;
  /** Holds nothing else. */
  folder: string;
  version: string;
  /** `linux-x64`. */
  platform: string;
  /** The Node of the platform. */
  node: string;
}

/** Writes `roster-VERSION-PLATFORM`, Node with `dist/` inside, and `THIRD-PARTY-LICENSES` of both. */
export async function writeExecutable({ root, folder, version, platform, node }: Release): Promise<void> {
  const dist = join(root, 'dist');
  const work = join(root, '.cache');
  const main = join(work, 'executable.js');
  await using start = await rolldown({ cwd: root, input: 'src/executable.ts', platform: 'node' });
  await start.write({ file: main });
  const stripped = join(work, 'node');
  copyFileSync(node, stripped);
  strip(stripped);
  const output = join(folder, `roster-${version}-${platform}`);
  const config = join(work, 'executable.json');
  const assets = globSync('**/*.*', { cwd: dist, exclude: ['openapi.json'] });
  const settings = {
    // A bare name, because this path is in the result, which must be the same on every machine.
    main: basename(main),
    mainFormat: 'module',
    executable: stripped,
    output,
    disableExperimentalSEAWarning: true,
    // With `--`, Node leaves `--env-file` to the program.
    execArgv: nodeArguments(join(dist, 'main.js')).slice(0, -1),
    execArgvExtension: 'none',
    assets: Object.fromEntries(assets.map((name) => [name.replaceAll(sep, '/'), join(dist, name)])),
  };
  writeFileSync(config, JSON.stringify(settings));
  execFileSync(process.execPath, ['--build-sea', config], { cwd: work, stdio: ['ignore', 'ignore', 'inherit'] });
  const licences = [
    join(dist, 'THIRD-PARTY-LICENSES'),
    ...globSync(join(root, 'node_modules/node-*-*/LICENSE')).slice(0, 1),
  ];
  writeFileSync(join(folder, 'THIRD-PARTY-LICENSES'), licences.map((file) => readFileSync(file, 'utf8')).join('\n'));
}

/** Removes 33 MB of debugging information. Without a strip that knows the platform, the file stays as it is. */
function strip(file: string): void {
  try {
    execFileSync('strip', [file], { stdio: 'ignore' });
  } catch {
    console.log('strip is missing or does not know this platform, so the executable is 33 MB larger');
  }
}

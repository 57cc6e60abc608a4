/**
 * Writes a release into `release/`, from the result of `npm run build` and without a network: the executable, a tarball and a .deb
 * with all that a host needs, the bill of materials, and SHA256SUMS.
 *
 *   npm run release                            for this platform
 *   npm run release -- linux-arm64 PATH/bin/node  for another, with the same version of Node for it
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { type Release, writeExecutable } from './release/executable.ts';
import { writeBillOfMaterials, writeDeb, writeSums, writeTarball } from './release/packages.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
const here = `${process.platform}-${process.arch}`;
const [platform = here, node = process.execPath] = process.argv.slice(2);
const release: Release = { root, folder: join(root, 'release'), version, platform, node };

const steps: ((release: Release) => Promise<void> | void)[] = [
  writeExecutable,
  writeTarball,
  writeDeb,
  writeBillOfMaterials,
  writeSums,
];

rmSync(release.folder, { recursive: true, force: true });
mkdirSync(release.folder);
for (const step of steps) await step(release);
for (const name of readdirSync(release.folder)) {
  console.log(`release/${name}  ${(statSync(join(release.folder, name)).size / 1_000_000).toFixed(1)} MB`);
}

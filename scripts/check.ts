import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { delimiter } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Everything but the tests that a change has to pass. A failing step stops none of the others, so that one run
 * tells all. The heavy checkers have packages of their own, tooling/, which the root's `npm ci` leaves alone.
 */

type Step = readonly [name: string, command: string];

const root = fileURLToPath(new URL('../', import.meta.url));
const stepLimitMs = 600_000;

const steps: Step[] = [
  ['types', 'tsc -p tsconfig.json'],
  ['client types', 'tsc -p clients/typescript --noEmit'],
  ['console types', 'tsc -p console'],
  ['lint', 'oxlint --deny-warnings'],
  ['format', 'oxfmt --check'],
  ['openapi current', 'node scripts/openapi.ts --check'],
  ['client current', 'node scripts/client.ts --check'],
  ['privacy current', 'node scripts/privacy.ts --check'],
  ['dependencies', 'node scripts/dependencies.ts'],
  ['build', 'npm run build'],
  ...(isInstalled('tooling') ? [] : [['tooling install', 'npm ci --prefix tooling'] as const]),
  ['tooling types', 'tsc -p tooling'],
  ['redocly', 'tooling/node_modules/.bin/redocly lint --config tooling/redocly.yaml openapi.json'],
  ['clients', 'node tooling/clients/check.ts'],
  ['deploy', 'node tooling/deploy/check.ts'],
  ['mcp conformance', 'node scripts/mcp-conformance.ts'],
  ['sbom', 'node scripts/sbom.ts --check'],
  ['secrets', 'node scripts/secrets.ts'],
  ['spelling', 'tooling/node_modules/.bin/cspell lint --config tooling/cspell.json --no-progress'],
];

const environment = {
  ...process.env,
  // The Node of this project for every tool, also where the machine's own is too old for them.
  PATH: `${root}node_modules/.bin${delimiter}${process.env['PATH'] ?? ''}`,
  REDOCLY_TELEMETRY: 'off',
  REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
};

const failed = steps.filter((step) => !passes(step)).map(([name]) => name);
console.log(failed.length === 0 ? 'check: all passed' : `check: failed: ${failed.join(', ')}`);
process.exitCode = failed.length === 0 ? 0 : 1;

function passes([name, line]: Step): boolean {
  const [command = '', ...args] = line.split(' ');
  const start = performance.now();
  const { status, signal, error, stdout, stderr } = spawnSync(command, args, {
    cwd: root,
    env: environment,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: stepLimitMs,
  });
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(`${status === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)`);
  if (status === 0) return true;
  console.log([`$ ${line}`, stdout, stderr, error?.message, signal].filter(Boolean).join('\n'));
  return false;
}

// npm writes its hidden lock file when everything is in place.
function isInstalled(folder: string): boolean {
  return changedAt(`${folder}/node_modules/.package-lock.json`) >= changedAt(`${folder}/package-lock.json`);
}

function changedAt(file: string): number {
  return statSync(`${root}${file}`, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

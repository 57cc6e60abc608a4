/**
 * Packs @roster/client, installs it into an empty folder without a registry, checks its types with several compiler settings, and
 * runs the program of its README against `roster serve`, as a module and from CommonJS, in this Node and in older ones from npm.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { blocksOf, textOf } from '../test/support/markdown.ts';
import { spawnProgram } from '../test/support/program.ts';
import { nodeOf, olderNodes } from './support/older-nodes.ts';
import { rosterIn } from './support/roster.ts';

const root = join(import.meta.dirname, '..');
const sources = join(root, 'clients/typescript');
const compilers = [
  ['TypeScript 7', join(root, 'node_modules/.bin/tsc')],
  ['TypeScript 5', join(root, 'tooling/node_modules/.bin/tsc')],
] as const;
const strict = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
  skipLibCheck: false,
  target: 'es2022',
};
const callers = {
  'nodenext in Node': { module: 'nodenext', lib: ['es2022'], types: ['node'], outDir: 'out' },
  'bundler in a browser': {
    module: 'esnext',
    moduleResolution: 'bundler',
    lib: ['es2022', 'dom', 'dom.iterable'],
    types: ['node'],
    noEmit: true,
  },
};

const folder = mkdtempSync(join(tmpdir(), 'roster-client-'));
try {
  install(pack());
  checkTypes();
  await runEverywhere();
  console.log('client: all passed');
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function pack(): string {
  const args = ['pack', '--json', '--foreground-scripts=false', '--pack-destination', folder, sources];
  const [packed] = JSON.parse(execFileSync('npm', args, { cwd: root, encoding: 'utf8' })) as {
    filename: string;
    unpackedSize: number;
  }[];
  if (!packed) throw new Error('npm packed nothing');
  console.log(`packed ${packed.filename}, ${packed.unpackedSize} bytes unpacked`);
  return join(folder, packed.filename);
}

/** Installs into an empty folder, with an empty cache, so nothing else can come along. */
function install(file: string): void {
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  execFileSync('npm', ['install', '--offline', '--cache', join(folder, 'cache'), '--no-audit', file], { cwd: folder });
  const brought = readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.'));
  if (brought.join() !== '@roster') throw new Error(`it brought ${brought.join(', ')}`);
}

function checkTypes(): void {
  const blocks = blocksOf(textOf('clients/typescript/README.md'), 'ts');
  const types = readFileSync(join(root, 'test/client/types.ts'), 'utf8');
  writeFileSync(join(folder, 'types.ts'), types.replace('../../clients/typescript/src/index.ts', '@roster/client'));
  const program = blocks.join('\n').replace("'https://roster.example.com/v2'", "process.env['ROSTER_URL'] ?? ''");
  writeFileSync(join(folder, 'readme.ts'), program);
  writeFileSync(
    join(folder, 'required.cts'),
    `import { RosterClient } from '@roster/client';
    const client = new RosterClient({ baseUrl: process.env['ROSTER_URL'] ?? '', apiKey: process.env['ROSTER_API_KEY'] });
    client.retrieveApiKey().then(({ name }) => console.log(name));`,
  );
  for (const [name, compilerOptions] of Object.entries(callers)) {
    const typeRoots = [join(root, 'node_modules/@types')];
    const include = ['*.ts', '*.cts'];
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: { ...strict, ...compilerOptions, typeRoots }, include }),
    );
    for (const [compiler, tsc] of compilers) {
      if (!existsSync(tsc)) {
        console.log(`skipped: ${compiler} is not installed; run npm ci --prefix tooling`);
        continue;
      }
      const { status, stdout } = spawnSync(tsc, ['-p', folder], { encoding: 'utf8' });
      if (status !== 0) throw new Error(`${compiler}, ${name}: ${stdout}`);
      console.log(`types hold: ${compiler}, ${name}`);
    }
  }
}

async function runEverywhere(): Promise<void> {
  const roster = rosterIn(folder, { DATABASE_URL: `sqlite:${join(folder, 'roster.db')}`, TMPDIR: folder });
  const inProject = ['--project', 'acme'];
  await roster.json('projects', 'create', 'Example Ltd', '--id', 'acme');
  await roster.json('chatbots', 'create', ...inProject, '--name', 'Front desk', '--id', '8839210412');
  const key = ['keys', 'create', ...inProject, '--name', 'Client', '--scope', 'all'];
  const { token } = await roster.json<{ token: string }>(...key);
  await using service = await roster.serve();
  const given = { ROSTER_URL: service.address, ROSTER_API_KEY: token };
  for (const node of [process.execPath, ...olderNodes.flatMap((version) => nodeOf(version) ?? [])]) {
    await run(node, given);
  }
}

async function run(node: string, env: Record<string, string>): Promise<void> {
  const version = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim();
  for (const [program, wanted] of [
    ['out/readme.js', /^Ana \[ 'vip' \]\n(?:.*\n)*function\n$/],
    ['out/required.cjs', /^Client\n$/],
  ] as const) {
    const { code, stdout, stderr } = await spawnProgram(node, [join(folder, program)], { env }).ended;
    if (code !== 0 || stderr !== '' || !wanted.test(stdout))
      throw new Error(`${version} ${program}: ${stdout}${stderr}`);
  }
  console.log(`runs in Node ${version}, as a module and from CommonJS`);
}

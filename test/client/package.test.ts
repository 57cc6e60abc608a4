import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { operations } from '../../clients/typescript/src/generated/operations.ts';
import { RosterClient } from '../../clients/typescript/src/index.ts';
import { aServedClient } from '../support/client.ts';
import { document } from '../support/document.ts';
import { temporaryFolder } from '../support/engines.ts';
import { blocksOf, textOf } from '../support/markdown.ts';
import { spawnProgram } from '../support/program.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const sources = join(root, 'clients/typescript');
const bytesMax = 8_000;
const read = (file: string) => readFileSync(join(root, file), 'utf8');

describe('the client', () => {
  const documented = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([verb, operation]) => ({ method: verb.toUpperCase(), path, ...operation })),
  );

  it('has a method for each operation and no other, and sends each to its path', () => {
    const methods = Object.getOwnPropertyNames(RosterClient.prototype).filter((name) => name !== 'constructor');
    expect(new Set(methods)).toEqual(new Set(documented.map(({ operationId }) => operationId)));
    for (const { operationId, method, path } of documented) {
      expect(operations).toHaveProperty(operationId, expect.objectContaining({ method, path }));
    }
  });

  it('repeats only what the document lets it repeat', () => {
    for (const { operationId, method, parameters = [], responses } of documented) {
      const isKeyed = parameters.some(({ name }) => name === 'Idempotency-Key');
      const mayWrite = JSON.stringify(responses).includes('outcome_unknown');
      const repeats = isKeyed ? 'keyed' : method === 'POST' && mayWrite ? 'never' : 'always';
      expect(operations).toHaveProperty(operationId, expect.objectContaining({ repeats }));
    }
  });
});

const folder = temporaryFolder();
const installed = join(folder.path, 'node_modules/@roster/client');
let packed: { files: { path: string }[] } | undefined;

// A program elsewhere that has installed the package.
beforeAll(async () => {
  const args = ['pack', '--json', '--foreground-scripts=false', '--pack-destination', folder.path, sources];
  const { stdout } = await promisify(execFile)('npm', args, { cwd: root });
  const [found] = JSON.parse(stdout) as { files: { path: string }[]; filename: string }[];
  packed = found;
  execFileSync('tar', ['-xzf', join(folder.path, found?.filename ?? ''), '-C', folder.path]);
  mkdirSync(join(folder.path, 'node_modules/@roster'), { recursive: true });
  renameSync(join(folder.path, 'package'), installed);
  writeFileSync(join(folder.path, 'package.json'), '{ "type": "module" }');
  const blocks = blocksOf(textOf('clients/typescript/README.md'), 'ts');
  writeFileSync(join(folder.path, 'readme.ts'), blocks.join('\n'));
  const types = read('test/client/types.ts').replace('../../clients/typescript/src/index.ts', '@roster/client');
  writeFileSync(join(folder.path, 'types.ts'), types);
}, 60_000);
afterAll(() => folder[Symbol.dispose]());

describe('the package of the client', () => {
  const filesIn = () => packed?.files.map(({ path }) => path) ?? [];

  it('holds programs and types, and needs no other package', () => {
    const beside = filesIn().filter((path) => !/^dist\/[\w/-]+\.(d\.ts|js)$/.test(path));
    expect(beside.toSorted()).toEqual(['LICENSE', 'README.md', 'package.json']);
    const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as Record<string, unknown>;
    expect(manifest).toMatchObject({ version: (JSON.parse(read('package.json')) as { version: string }).version });
    expect(Object.keys(manifest).filter((name) => /dependencies/i.test(name))).toEqual([]);
    expect(readFileSync(join(installed, 'LICENSE'), 'utf8')).toBe(read('LICENSE'));
    for (const path of filesIn().filter((one) => one.endsWith('.js'))) {
      const text = readFileSync(join(installed, path), 'utf8');
      for (const [, from = ''] of text.matchAll(/ from '([^']+)'/g))
        expect([path, from]).toEqual([path, expect.stringMatching(/^\./)]);
    }
  });

  it('names no file outside of it', () => {
    for (const path of filesIn()) {
      const text = readFileSync(join(installed, path), 'utf8');
      expect([path, text.match(/\]\(\.\.\/.*?\)|sourceMappingURL.*/)?.[0]]).toEqual([path, undefined]);
      expect([path, text.includes(root)]).toEqual([path, false]);
    }
  });

  it(`has less than ${bytesMax} bytes of program when gzipped, not minified`, () => {
    const programs = filesIn().filter((path) => path.endsWith('.js'));
    const text = programs.map((path) => readFileSync(join(installed, path), 'utf8')).join('');
    expect(text.length).toBeGreaterThan(10_000);
    expect(gzipSync(text).length).toBeLessThan(bytesMax);
  });

  it('lets callers write what works, and keeps them from what does not, under the strictest settings', async () => {
    const strict = {
      compilerOptions: {
        strict: true,
        exactOptionalPropertyTypes: true,
        noUncheckedIndexedAccess: true,
        noPropertyAccessFromIndexSignature: true,
        skipLibCheck: false,
        target: 'es2022',
        lib: ['es2022', 'dom', 'dom.iterable'],
        module: 'nodenext',
        types: [],
        noEmit: true,
      },
    };
    writeFileSync(join(folder.path, 'tsconfig.json'), JSON.stringify(strict));
    writeFileSync(
      join(folder.path, 'node.d.ts'),
      'declare const process: { env: Record<string, string | undefined> };',
    );
    const { code, stdout } = await spawnProgram(join(root, 'node_modules/.bin/tsc'), ['-p', folder.path], { env: {} })
      .ended;
    expect([code, stdout]).toEqual([0, '']);
  });

  it('does what its README says', async () => {
    await using at = await aServedClient({ chatbotId: '8839210412' });
    const program = join(folder.path, 'readme.ts');
    const address = 'https://roster.example.com/v2';
    writeFileSync(program, readFileSync(program, 'utf8').replace(address, `${at.address}/v2`));
    const env = { ROSTER_API_KEY: at.token };
    const { stdout, stderr, code } = await spawnProgram(process.execPath, [program], { env }).ended;
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout.split('\n')).toEqual([
      "Ana [ 'vip' ]",
      '1 1',
      'Ana',
      ...['project.created', 'chatbot.created', 'key.created', 'contact.created'].map(
        (type, at_) => `${at_ + 1} ${type}`,
      ),
      expect.stringMatching(/^contact\.updated [\w-]+ \[ 'city' \]$/),
      expect.stringMatching(/^422 validation_failed [\w-]+$/),
      'properties.email must be an e-mail address',
      expect.stringMatching(/^[\w-]+ undefined$/),
      'function',
      '',
    ]);
  });
});

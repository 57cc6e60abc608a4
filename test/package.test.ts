import { execFileSync } from 'node:child_process';
import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { describe, expect, it } from 'vitest';

import { temporaryFolder } from './support/engines.ts';
import { nodeArguments, spawnProgram } from './support/program.ts';

const root = fileURLToPath(new URL('../', import.meta.url));

interface Packed {
  name: string;
  filename: string;
  files: { path: string }[];
}

function pack(folder: string): Packed {
  const args = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder];
  const [packed] = JSON.parse(execFileSync('npm', args, { cwd: root, encoding: 'utf8' })) as Packed[];
  if (!packed) throw new Error('npm packed nothing');
  execFileSync('tar', ['-xzf', join(folder, packed.filename), '-C', folder]);
  return packed;
}

describe('the package', () => {
  it('holds all that the program needs when it runs, and nothing of the checkout besides', async () => {
    using folder = temporaryFolder();
    const { name, files } = pack(folder.path);
    expect(name).toBe('@roster/server');
    const paths = files.map(({ path }) => path);
    for (const file of globSync('migrations/*.sql', { cwd: root })) expect(paths).toContain(`dist/${file}`);
    const beside = ['CHANGELOG.md', 'LICENSE', 'README.md', 'openapi.json', 'package.json'];
    expect(paths.filter((path) => !path.startsWith('dist/')).toSorted()).toEqual(beside);

    const installed = join(folder.path, 'package');
    const { bin } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as { bin: { roster: string } };
    const program = join(installed, bin.roster);
    expect(statSync(program).mode & 0o111).not.toBe(0);
    const start = (...args: string[]) =>
      spawnProgram(process.execPath, [...nodeArguments(program), ...args], {
        cwd: folder.path,
        env: { TMPDIR: folder.path },
      });
    const run = async (...args: string[]) => {
      const { code, stdout, stderr } = await start(...args).ended;
      expect([args, code, stderr]).toEqual([args, 0, '']);
      return stdout;
    };
    expect(await run('--version')).toMatch(/^\d+\.\d+\.\d+\n$/);
    await run('projects', 'create', 'Example Ltd', '--id', 'acme');
    expect(JSON.parse(await run('projects', 'list', '--json'))).toMatchObject([{ id: 'acme' }]);

    const demo = start('demo');
    const [address = ''] = await demo.until(/http:\/\/127\.0\.0\.1:\d+/);
    expect(await (await fetch(`${address}/openapi.json`)).json()).toHaveProperty('openapi');
    expect((await fetch(`${address}/docs`)).status).toBe(200);
    demo.child.kill();
    expect((await demo.ended).code).toBe(0);
  });
});

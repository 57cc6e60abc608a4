import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { describe, expect, it } from 'vitest';

import { temporaryFolder } from './support/engines.ts';
import { blocksOf, textOf } from './support/markdown.ts';
import { type Running, spawnProgram } from './support/program.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const linesMax = 12;
/** What stands before them, in a clone: `git clone`, `cd` and `npm ci`. */
const linesBefore = 3;

/** A folder that looks like a checkout after `npm ci`, with a database of its own. */
function aCheckout(folder: string): void {
  mkdirSync(join(folder, 'home'));
  for (const built of ['dist', 'node_modules']) symlinkSync(join(root, built), join(folder, built));
  for (const file of ['package.json', 'roster']) cpSync(join(root, file), join(folder, file));
  writeFileSync(join(folder, 'home/people.csv'), 'Full name,E-mail\nAna Lucía Ferreira,ana@example.com\n');
}

function typedLines(heading: string): string[] {
  return blocksOf(textOf('README.md', heading), 'sh')
    .flatMap((block) => block.split('\n'))
    .filter((line) => line !== '');
}

describe('README.md', () => {
  it('leads from a clone to an answer with one’s own people in twelve typed lines', { timeout: 60_000 }, async () => {
    using folder = temporaryFolder();
    aCheckout(folder.path);
    const type = (line: string) =>
      spawnProgram('/bin/sh', ['-c', line], {
        cwd: folder.path,
        env: { TMPDIR: folder.path, HOME: join(folder.path, 'home') },
      });
    let served: Running | undefined;
    const seen: Record<string, string> = {};
    const typed = typedLines('Your own people');
    expect(typed.length + linesBefore).toBeLessThanOrEqual(linesMax);
    let answer = '';
    try {
      for (const line of typed) {
        if (line === 'TOKEN=rst_…') continue;
        if (line === './roster serve') {
          served = type(`exec ${line}`);
          [, seen['address'] = ''] = await served.until(/"msg":"listening at http:\/\/([^"]+)"/);
          continue;
        }
        const { address = '', token = '', contact = '' } = seen;
        const ready = line.replace('127.0.0.1:8080', address).replace('CONTACT_ID', contact).replace('$TOKEN', token);
        const { code, stdout, stderr } = await type(ready).ended;
        expect([line, code, stderr]).toEqual([line, 0, expect.not.stringContaining('roster:')]);
        if (line.includes('contacts export')) [, seen['contact'] = ''] = /"id":"([^"]+)"/.exec(stdout) ?? [];
        if (line.includes('keys create')) [seen['token'] = ''] = /rst_\w{36}/.exec(stdout) ?? [];
        answer = stdout;
      }
    } finally {
      served?.child.kill('SIGTERM');
      await served?.ended;
    }
    expect(JSON.parse(answer)).toMatchObject({ status: 'success', data: { name: 'Ana Lucía Ferreira' } });
  });
});

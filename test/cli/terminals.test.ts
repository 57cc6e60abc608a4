import { describe, expect, it } from 'vitest';

import { toDesk, withDesk } from '../support/desk.ts';

const commands = '\u001B]0;title\u0007\u001B[2J\u009B2J\u007F\u202Edlo\u2066\u061C\u2028\u2029\u200B';
const joined = '👩‍💻 می‌خواهم';
const person = { id: 'one', name: `Ana${commands}`, company: joined, tags: ['t\u009B2j\u202E'] };
const obeyed = /[[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]--[\n\u200C\u200D]]/v;
const onTerminal = { NODE_OPTIONS: '--import=data:text/javascript,process.stdout.isTTY=true' };

async function withPerson() {
  const at = await withDesk();
  await at.json(['contacts', 'import', '-', ...toDesk], { input: JSON.stringify([person]) });
  return at;
}

describe('stored text', () => {
  it.each([
    ['contacts', 'list', ...toDesk],
    ['contacts', 'show', 'one', ...toDesk],
    ['contacts', 'export', ...toDesk],
    ['contacts', 'export', ...toDesk, '--json'],
  ])('commands no terminal: %s %s', async (...args) => {
    await using at = await withPerson();
    const { stdout, stderr } = await at.run(args, { env: onTerminal });
    expect(stdout).toContain('Ana');
    expect(stdout).not.toMatch(obeyed);
    const isCsv = args[1] === 'export' && args.at(-1) !== '--json';
    expect(stderr).toBe(isCsv ? 'Control characters are shown as ?; --output FILE keeps them.\n' : '');
  });

  it('is escaped in all JSON, in pipes too, and stays the same value', async () => {
    await using at = await withPerson();
    for (const args of [
      ['show', 'one', ...toDesk, '--json'],
      ['export', ...toDesk, '--format', 'ndjson'],
    ]) {
      const { stdout } = await at.run(['contacts', ...args]);
      expect(stdout).not.toMatch(obeyed);
      expect(JSON.parse(stdout)).toMatchObject(args[0] === 'show' ? { id: 'one', name: person.name } : person);
    }
    const { stdout } = await at.run(['contacts', 'export', ...toDesk]);
    expect(stdout).toContain(person.name);
  });

  it('keeps the joiners that scripts and emoji need, and no others', async () => {
    await using at = await withPerson();
    await at.json(['contacts', 'update', 'one', ...toDesk, '--set', 'name=A\u200Dna']);
    const { stdout } = await at.run(['contacts', 'show', 'one', ...toDesk]);
    expect(stdout).toContain(joined);
    expect(stdout).toContain('A?na');
  });
});

describe('the log', () => {
  it('of unforeseen errors commands no terminal either', async () => {
    const log = new URL('../../src/observability/log.ts', import.meta.url).href;
    for (const isSeen of [true, false]) {
      await using at = await withDesk();
      const text = `process.stdout.isTTY = ${isSeen}; const { createLog } = await import('${log}');
        (await createLog('info', false)).logger.error({ err: new Error(${JSON.stringify(commands)}) }, 'failed');`;
      const { stdout } = await at.startUnder('sh', ['-c', `'${process.execPath}' --input-type=module -e "$0"`, text])
        .ended;
      expect(stdout).toContain('failed');
      expect(stdout).not.toMatch(obeyed);
    }
  });
});

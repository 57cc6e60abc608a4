import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { settings } from '../../src/config/settings.ts';
import { scopes } from '../../src/rights.ts';
import { anInstallation } from '../support/process.ts';

/** What a block of the help lists under its heading. */
const itemsOf = (block: string) => block.split(/\n(?= {2}\S)/).slice(1);

/** A term of such a list, and its meaning in one line. */
function termOf(item: string): [term: string, meaning: string] {
  const [term = '', ...meaning] = item.trim().split(/ {2,}|\n +/);
  return [term, meaning.join(' ')];
}

/** The pages; what several of them say of a term stands before them once. */
function saidOnce(pages: string[]): string {
  const blocks = pages.map((page) => page.trimEnd().split('\n\n'));
  const isList = (block: string) => /^(?:Arguments|Options|Settings)[^\n]*:\n/.test(block);
  const exits = blocks.flat().find((block) => block.startsWith('Exit codes')) ?? '';
  const counts = new Map<string, number>();
  for (const item of blocks.flat().filter(isList).flatMap(itemsOf)) {
    const said = JSON.stringify(termOf(item));
    counts.set(said, (counts.get(said) ?? 0) + 1);
  }
  const shared = new Map<string, string>();
  for (const [said, count] of [...counts].toSorted(([, a], [, b]) => b - a)) {
    const [term, meaning] = JSON.parse(said) as [string, string];
    if (count > 1 && !shared.has(term)) shared.set(term, meaning);
  }
  const isShared = (item: string) => shared.get(termOf(item)[0]) === termOf(item)[1];
  const isKnown = (block: string) => block === exits || /^Commands:|^More about one of them/.test(block);
  const isUsual = /^(?:Arguments|Options|Settings, from the environment or --env-file FILE):$/;
  const shown = (block: string) => {
    if (!isList(block)) return [block.replace('Examples:\n', '')];
    // In one line each, as columns move with the longest term.
    const own = itemsOf(block)
      .filter((item) => !isShared(item))
      .map((item) => `  ${termOf(item).join(': ')}`);
    const [heading = ''] = block.split('\n', 1);
    return own.length === 0 && isUsual.test(heading) ? [] : [heading, ...own];
  };
  const first = [...[...shared].toSorted(([a], [b]) => (a < b ? -1 : 1)).map((said) => said.join(': ')), exits].join(
    '\n',
  );
  const rest = blocks.map(([usage = '', description = '', ...more]) => {
    const terms = more.filter(isList).flatMap(itemsOf).filter(isShared);
    const above = `As above: ${terms.map((item) => termOf(item)[0]).join(', ')}`;
    return [usage, description, above, ...more.filter((block) => !isKnown(block)).flatMap(shown)].join('\n');
  });
  return `${[first, ...rest].join('\n\n')}\n`;
}

describe('the commands that need no store', () => {
  it('inspect a token from stdin, offline', async () => {
    await using at = await anInstallation();
    const env = { DATABASE_URL: 'sqlite:/nonexistent/folder/x.db' };
    const inspect = (input: string) => at.json(['keys', 'inspect', '-'], { input, env });
    expect(await inspect('rst_zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ0mLq18')).toEqual({
      form: 'roster',
      checksum: 'invalid',
    });
    expect(await inspect('something-else')).toEqual({ form: 'other', checksum: null });
  });

  it('print help that suffices on 80 columns: required options, exit codes, settings and two examples', async () => {
    await using at = await anInstallation();
    const pages: string[] = [];
    const check = async (path: string): Promise<string> => {
      const { code, stdout, stderr } = await at.run([...path.split(' ').slice(1), '--help']);
      pages.push(stdout);
      expect([path, code, stderr]).toEqual([path, 0, '']);
      expect([path, stdout.split('\n').filter((line) => line.length > 80)]).toEqual([path, []]);
      expect([path, stdout]).toEqual([path, expect.stringMatching(/\nExit codes: 0 done;.* 130\s/s)]);
      const [, examples = ''] = /\nExamples:\n((?: {2,}.*\n)+)/.exec(stdout) ?? [];
      expect([path, examples.match(/^ {2}\$ /gm)?.length]).toEqual([path, expect.toSatisfy((n) => n >= 2)]);
      const commands = stdout.split('\n\n').find((block) => block.startsWith('Commands:\n')) ?? '';
      for (const listed of itemsOf(commands)) {
        const [command, about] = termOf(listed);
        const [name] = command.split(' ', 1);
        // One after another, as several at once would each start a process.
        const [, description] = name === 'help' ? ['', about] : (await check(`${path} ${name}`)).split('\n\n');
        expect([command, description?.replaceAll('\n', ' ')]).toEqual([command, about]);
      }
      return stdout;
    };
    await check('roster');
    const pageOf = (path: string) => pages.find((page) => page.startsWith(`Usage: roster ${path} [options]`)) ?? '';
    for (const scope of scopes) expect(pageOf('keys create')).toContain(scope);
    for (const { variable } of Object.values(settings)) expect(pageOf('serve')).toContain(`  ${variable} `);
    expect(pageOf('serve')).not.toContain('HOST=0.0.0.0');
    for (const path of ['settings', 'contacts import', 'backup verify']) expect(pageOf(path)).not.toBe('');
    await expect(saidOnce(pages)).toMatchFileSnapshot('golden/help.txt');
  });

  it('answer --port with the setting', async () => {
    await using at = await anInstallation();
    for (const command of ['serve', 'demo']) {
      const { code, stderr } = await at.run([command, '--port', '4700']);
      expect([code, stderr]).toEqual([2, expect.stringContaining('set PORT in the environment instead')]);
    }
  });

  it('print it for what stands after "help", too', async () => {
    await using at = await anInstallation();
    const { stdout } = await at.run(['keys', 'create', '--help']);
    expect(await at.run(['help', 'keys', 'create'])).toMatchObject({ code: 0, stdout, stderr: '' });
    const { code, stderr } = await at.run(['help', 'nonsense']);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^roster: unknown command 'nonsense'/)]);
  });

  it('read no more of stdin than a token can have', async () => {
    await using at = await anInstallation();
    const running = at.start(['keys', 'inspect', '-']);
    running.child.stdin?.on('error', () => undefined).write('x'.repeat(100_000));
    // Its end is never sent.
    expect(await running.ended).toMatchObject({ code: 65, stderr: expect.stringContaining('more than a token') });
  });

  it('show every setting with its place, without user and password, and the mistakes at last', async () => {
    await using at = await anInstallation();
    const env = { DATABASE_URL: 'postgres://roster:secret@db.example.com/roster', ROSTER_RATE_LIMIT: '5' };
    const shown = await at.json<{ name: string; value: string | null; source: string }[]>(['settings'], { env });
    expect(shown.map(({ name }) => name)).toEqual(Object.values(settings).map(({ variable }) => variable));
    const one = (name: string) => shown.find((setting) => setting.name === name);
    expect(one('DATABASE_URL')).toMatchObject({ value: 'postgres://***@db.example.com/roster', source: 'environment' });
    expect(one('ROSTER_RATE_LIMIT')).toMatchObject({ value: '5', source: 'environment' });
    expect(one('LOG_LEVEL')).toMatchObject({ value: 'info', source: 'default' });
    const wrong = await at.run(['settings', '--json'], { env: { LOG_LEVEL: 'loud' } });
    expect([wrong.code, wrong.stderr]).toEqual([78, expect.stringMatching(/^roster: Bad settings:\n {2}LOG_LEVEL /)]);
    expect(JSON.parse(wrong.stdout)).toContainEqual(expect.objectContaining({ name: 'LOG_LEVEL', value: null }));
  });

  it('print the version of the package', async () => {
    await using at = await anInstallation();
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
      version: string;
    };
    expect(await at.run(['--version'])).toMatchObject({ code: 0, stdout: `${version}\n` });
  });
});

import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { scopes } from '../../src/rights.ts';
import { anInstallation, type Installation } from '../support/process.ts';

const everyScope = [...scopes, 'all'];
const isMissing = (shell: string) => spawnSync(shell, ['--version']).error !== undefined;

const help = readFileSync(new URL('golden/help.txt', import.meta.url), 'utf8');
/** The commands and flags of each page of the help, by the words of the command. */
const pages = Array.from(help.matchAll(/^Usage: (roster(?: [a-z-]+)*)(?:.+\n)+/gm), ([page, line = '']) => {
  const [, above = ''] = /\nAs above: (.*)/.exec(page) ?? [];
  const [, own = ''] = /\nOptions:((?:\n {2}-.*)*)/.exec(page) ?? [];
  const flags = Array.from(`, ${above}${own}`.matchAll(/(?:\n {2}|, )(--[a-z-]+)/g), ([, flag = '']) => flag);
  const below = Array.from(
    help.matchAll(new RegExp(`^Usage: ${line} ([a-z-]+)(?! [a-z])\\b`, 'gm')),
    ([, name = '']) => name,
  );
  return { line, names: below, flags: [...new Set([...flags, '--env-file'])] };
});

/** The program of a shell reads lines, and prints what it offers for each. */
type Ask = (program: string, lines: string[]) => string[][];

/** The installation, with the script of a shell and files to complete. */
async function withScript(shell: string): Promise<Installation & { ask: Ask }> {
  const at = await anInstallation();
  const { code, stdout, stderr } = await at.run(['completion', shell]);
  expect([code, stderr]).toEqual([0, '']);
  writeFileSync(join(at.folder, 'script'), stdout);
  mkdirSync(join(at.folder, 'lists'));
  for (const name of ['my list.csv', 'a:b.csv', 'team.csv']) writeFileSync(join(at.folder, 'lists', name), '');
  const ask: Ask = (program, lines) => {
    const input = lines.map((line) => `${line}\n`).join('');
    const ended = spawnSync(shell, ['-c', program], { cwd: at.folder, input, encoding: 'utf8', timeout: 50_000 });
    expect([ended.status, ended.stderr]).toEqual([0, '']);
    return ended.stdout
      .split('\n')
      .slice(0, -1)
      .map((line) => line.split('\t').filter(Boolean));
  };
  return { ...at, ask };
}

const wholeHelp = pages.map(({ line, names, flags }) => [line, flags.toSorted(), names] as const);

/** What it offers at each page: all flags, and the commands of the page. */
function helpIn({ ask }: { ask: Ask }, program: string) {
  const offered = (typed: string) =>
    ask(
      program,
      pages.map(({ line }) => line + typed),
    );
  const [commands, flags] = [offered(' '), offered(' --')];
  return pages.map(({ line, names }, index) => {
    return [line, flags[index]?.toSorted(), names.filter((name) => commands[index]?.includes(name))];
  });
}

/** Takes lines apart as bash does, at : and = too. A | stands for a space inside a word. */
const inBash = `source ./script
while IFS= read -r line; do
  spaced=\${line//:/ : } spaced=\${spaced//=/ = }
  IFS=' ' read -r -a COMP_WORDS <<< "$spaced"
  [[ $line == *' ' ]] && COMP_WORDS+=('')
  COMP_WORDS=("\${COMP_WORDS[@]//|/ }") COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
  _roster
  printf '%s\\t' "\${COMPREPLY[@]}"
  echo
done`;

describe.skipIf(isMissing('bash'))('completion in bash', () => {
  it('offers the commands and flags of each page of the help', async () => {
    await using at = await withScript('bash');
    expect(pages.length).toBeGreaterThan(60);
    expect(helpIn(at, inBash)).toEqual(wholeHelp);
  });

  it('offers what may follow in every place of a line', async () => {
    await using at = await withScript('bash');
    const places: [line: string, offered: string[]][] = [
      ['roster ke', ['keys']],
      ['roster keys cr', ['create']],
      ['roster help keys cr', ['create']],
      ['roster --env-file keys members inv', ['invite']],
      ['roster keys create --scope ', everyScope],
      ['roster keys create --scope contacts:r', ['read']],
      ['roster keys create --scope=contacts:', ['read', 'write']],
      ['roster keys create --name --scope --sc', ['--scope']],
      ['roster keys create --name ', []],
      ['roster members list --project acme --status A', ['Active']],
      ['roster members invite ada@example.com --role Ow', []],
      ['roster contacts import lists/team.csv --format=', ['csv', 'ndjson', 'json']],
      ['roster contacts import lists/t', ['lists/team.csv']],
      ['roster contacts import lists/my|l', ['lists/my list.csv']],
      ['roster contacts import lists/a:', ['b.csv']],
      ['roster contacts import lists/team.csv --rejects lists/t', ['lists/team.csv']],
      ['roster backup ver', ['verify']],
      ['roster backup verify lists/t', ['lists/team.csv']],
      ['roster projects list --env-file=lists/t', ['lists/team.csv']],
      ['roster projects list t', []],
    ];
    const offered = at.ask(
      inBash,
      places.map(([line]) => line),
    );
    expect(places.map(([line], place) => [line, offered[place]])).toEqual(places);
  });
});

describe.skipIf(isMissing('fish'))('completion in fish', () => {
  const inFish = `source script
while read -l line
  set -l offered (complete -C "$line" | string replace -r '\\t.*' '')
  echo (string join \\t -- $offered)
end`;

  it('offers the commands and flags of each page of the help', async () => {
    await using at = await withScript('fish');
    expect(helpIn(at, inFish)).toEqual(wholeHelp);
  });

  it('offers the values of flags, and files where a command or a flag takes one', async () => {
    await using at = await withScript('fish');
    const lines = [
      'roster keys create --scope contacts:',
      'roster contacts import lists/t',
      'roster contacts import lists/team.csv --rejects lists/t',
      'roster help keys cr',
      'roster projects list t',
    ];
    expect(at.ask(inFish, lines)).toEqual([
      ['contacts:read', 'contacts:write'],
      ['lists/team.csv'],
      ['lists/team.csv'],
      ['create'],
      [],
    ]);
  });
});

describe.skipIf(isMissing('zsh'))('completion in zsh', () => {
  it('completes commands, flags, values and files as a person types them', async () => {
    await using at = await withScript('zsh');
    // Types each line and a tab into a zsh of its own, and waits for what becomes of it.
    const inZsh = `export TERM=dumb
zmodload zsh/zpty
zpty z zsh -f -i
zpty -w z "PS1='> '; autoload -Uz compinit && compinit -u -D; source ./script; echo be''gin"
zpty -r z seen '*begin*'
while IFS='|' read -r typed completed; do
  zpty -w -n z "$typed"$'\\t'
  zpty -r z seen "*\${(b)completed}*"
  zpty -w -n z $'\\x15'
done
zpty -d z`;
    const lines = [
      'roster ke|roster keys ',
      'roster help keys cr|roster help keys create ',
      'roster keys create --sc|roster keys create --scope ',
      'roster keys create --scope contacts:r|roster keys create --scope contacts:read ',
      'roster keys create --scope=contacts:r|roster keys create --scope=contacts:read ',
      'roster contacts import lists/t|roster contacts import lists/team.csv ',
      'roster contacts import x.csv --rejects lists/t|roster contacts import x.csv --rejects lists/team.csv ',
      'roster --env-file x keys cr|roster --env-file x keys create ',
    ];
    expect(at.ask(inZsh, lines)).toEqual([]);
  });
});

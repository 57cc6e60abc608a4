import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { describe, expect, it } from 'vitest';

import { anInstallation, commandUser, type Installation } from '../../support/process.ts';

const file = new URL('../golden/transcript.txt', import.meta.url);
/** One made-up project, from its creation to its deletion: `ID1` is the first id that was printed, `<<<` stands before the input. */
const commands = [...readFileSync(file, 'utf8').matchAll(/^\$ (.*?)(?: <<< (".*"))?$/gm)];

/** Names the ids of a run by their order, and replaces its times and secrets. */
function steady(folder: string) {
  const ids: string[] = [];
  const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g;
  const nameOf = (id: string) => `ID${(ids.includes(id) ? ids.indexOf(id) : ids.push(id) - 1) + 1}`;
  return {
    idOf: (number: number) => ids[number - 1] ?? 'nowhere',
    shown: (text: string) =>
      text
        .replaceAll(uuid, nameOf)
        .replaceAll(/rst_[0-9A-Za-z]{36}/g, 'TOKEN')
        .replaceAll(/\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d\+00:00)?/g, 'TIME')
        .replaceAll(/("last4": ?"|last4: +|  \d +)[^"\s]{4}(?=["\s])/g, '$1LAST')
        .replaceAll(/(#)[\w.=-]{20,}/g, '$1SECRET')
        .replaceAll(/(--after |next_cursor": ?")[\w-]{16,}/g, '$1CURSOR')
        .replaceAll(folder, 'FOLDER')
        .replaceAll(commandUser, 'cli:USER')
        // The columns of a table are as wide as the name of the user.
        .replaceAll(/^.*$/gs, (all) => (all.includes('cli:USER') ? all.replaceAll(/ {2,}/g, '  ') : all)),
  };
}

async function transcript(at: Installation): Promise<string> {
  writeFileSync(join(at.folder, 'token.txt'), 'legacy-token-0123456789\n');
  const { idOf, shown } = steady(at.folder);
  const known = { MEMBER: '', CONTACT: '' };
  const parts: string[] = [];
  for (const [line, command = '', quoted = '""'] of commands) {
    const words = (command.match(/(?:[^\s"]|"[^"]*")+/g) ?? []).map((word) =>
      word
        .replaceAll('"', '')
        .replace(/^ID(\d+)$/, (_, number: string) => idOf(Number(number)))
        .replace(/^(MEMBER|CONTACT)$/, (name) => known[name as 'MEMBER'] || name),
    );
    const { code, stdout, stderr } = await at.run(words, { input: JSON.parse(quoted) as string });
    if (command.startsWith('members invite') && code === 0) known.MEMBER = idIn(stdout);
    if (command.startsWith('contacts create') && code === 0 && known.CONTACT === '') known.CONTACT = idIn(stdout);
    const told = stderr === '' ? '' : stderr.replaceAll(/^/gm, '! ').replace(/! $/, '');
    parts.push(`${line}\n${shown(stdout + told)}${code === 0 ? '' : `= ${code}\n`}`);
  }
  return parts.join('\n');
}

function idIn(stdout: string): string {
  return /"?id"?: *"?([\w-]{36})/.exec(stdout)?.[1] ?? '';
}

describe('the commands of a project', () => {
  it('keep their words, exit codes, columns and keys', async () => {
    await using at = await anInstallation();
    expect(commands.length).toBeGreaterThan(120);
    await expect(await transcript(at)).toMatchFileSnapshot(fileURLToPath(file));
  });
});

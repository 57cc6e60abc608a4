import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { blocksOf, textOf } from '../../test/support/markdown.ts';
import { tooling } from './settings.ts';

const page = textOf('docs/clients.md');
const { dependencies } = JSON.parse(readFileSync(join(tooling, 'package.json'), 'utf8')) as {
  dependencies: Record<string, string>;
};

/** The commands of docs/clients.md that are run, in its order; throws where it installs other versions than are tried. */
export function commandsOfPage(): string[] {
  const lines = blocksOf(page, 'sh').flatMap((block) => block.trim().split('\n'));
  for (const line of lines.filter((one) => one.startsWith('npm install '))) {
    for (const [, name = '', version] of line.matchAll(/ (@?[\w/-]+)@([\d.]+)/g)) {
      if (dependencies[name] !== version) throw new Error(`docs/clients.md is not tried with this: ${line}`);
    }
  }
  return lines.filter((line) => line.startsWith('npx '));
}

export const programsOfPage = () => blocksOf(page, 'ts');

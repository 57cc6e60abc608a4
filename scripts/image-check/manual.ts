import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { root } from './machine.ts';

/** The command lines of a section of deploy/image.md, by the bold words before them; the first are by ''. */
export function documentedLines(section: string): Map<string, string[]> {
  const text = readFileSync(join(root, 'deploy/image.md'), 'utf8');
  const [, whole = ''] = text.split(`\n## ${section}\n`);
  const [body = ''] = whole.split('\n## ');
  const lines = new Map<string, string[]>();
  let title = '';
  for (const [, bold, block] of body.matchAll(/^\*\*(.+?)\.?\*\*|^```sh\n(.*?)^```/gms)) {
    if (bold !== undefined) title = bold;
    else lines.set(title, [...(lines.get(title) ?? []), ...linesIn(block ?? '')]);
  }
  return lines;
}

function linesIn(block: string): string[] {
  return block
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line !== '');
}

import { textOf } from '../../test/support/markdown.ts';

/** The command lines of a section of deploy/image.md, by the bold words before them; the first are by ''. */
export function documentedLines(section: string): Map<string, string[]> {
  const lines = new Map<string, string[]>();
  let title = '';
  for (const [, bold, block] of textOf('deploy/image.md', section).matchAll(/^\*\*(.+?)\.?\*\*|^```sh\n(.*?)^```/gms)) {
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

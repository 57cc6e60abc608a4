import { readFileSync } from 'node:fs';

/** A document of this checkout, by its path in it, or one section of it. */
export function textOf(file: string, section?: string): string {
  const text = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
  if (section === undefined) return text;
  const [, whole] = text.split(`\n## ${section}\n`);
  if (whole === undefined) throw new Error(`${file} has no section "${section}"`);
  return whole.split('\n## ', 1)[0] ?? '';
}

/** The code blocks in one language. */
export function blocksOf(text: string, language: string): string[] {
  const blocks = text.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'gms'));
  return Array.from(blocks, ([, block = '']) => block);
}

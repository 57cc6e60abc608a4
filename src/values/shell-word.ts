export function shellWord(text: string): string {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text;
  if (/["$\\`!]/.test(text)) return `'${text.replaceAll("'", String.raw`'\''`)}'`;
  const [, name = '', rest = ''] = /^([a-z_]+=)?(.*)$/s.exec(text) ?? [];
  return `${name}"${rest}"`;
}

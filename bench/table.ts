export function ms(value: number): string {
  return `${value.toFixed(1)} ms`;
}

export function count(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}

export function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

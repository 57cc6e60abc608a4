export function count(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}

/** With three digits. */
export function short(value: number): string {
  return value >= 1_000 ? count(value) : String(Number(value.toPrecision(value < 1 ? 2 : 3)));
}

export function ms(value: number): string {
  return `${short(value)} ms`;
}

export function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

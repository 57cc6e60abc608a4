import type { Usage } from './types.ts';

/** Stands for no limit. */
const unlimited = 2_147_483_647;

export function isLimited({ max }: Usage): boolean {
  return max < unlimited;
}

export function seatsSentence({ used, max }: Usage): string {
  if (!isLimited({ used, max })) return used === 1 ? 'One member' : `${number(used)} members`;
  return `${number(used)} of ${number(max)} seats taken`;
}

export function number(value: number): string {
  return value.toLocaleString();
}

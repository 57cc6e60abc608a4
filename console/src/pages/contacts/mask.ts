/** `ada@example.com` becomes `a•••@e•••`, and `+44 20 7946 0958` becomes `•••58`. */
export function mask(value: string): string {
  const at = value.lastIndexOf('@');
  if (at > 0) return `${value.charAt(0)}•••@${value.charAt(at + 1)}•••`;
  return `•••${value.slice(-2)}`;
}

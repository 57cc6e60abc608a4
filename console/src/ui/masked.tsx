import { useState } from 'preact/hooks';

interface MaskedProps {
  value: string;
  /** What it is, for screen readers: `e-mail address`. */
  what: string;
}

/** Personal data in a list that is only passed by: shown when it is asked for. */
export function Masked({ value, what }: MaskedProps) {
  const [isShown, setShown] = useState(false);
  if (isShown) return <span class="masked-shown">{value}</span>;
  return (
    <button type="button" class="masked" aria-label={`Show the ${what}`} onClick={() => setShown(true)}>
      {mask(value)}
    </button>
  );
}

/** `ada@example.com` becomes `a•••@e•••`, and `+44 20 7946 0958` becomes `•••58`. */
export function mask(value: string): string {
  const at = value.lastIndexOf('@');
  if (at > 0) return `${value.charAt(0)}•••@${value.charAt(at + 1)}•••`;
  return `•••${value.slice(-2)}`;
}

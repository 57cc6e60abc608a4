const dayOfYear = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });
const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', year: 'numeric' });
const whole = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const span = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' });

const units = [
  ['minute', 60],
  ['hour', 3_600],
  ['day', 86_400],
] as const;
const relativeDaysMax = 14;

/** A moment as the reader's locale writes it: how long ago if near, else the day. The exact time is its title. */
export function Time({ value }: { value: string }) {
  const date = new Date(value);
  return (
    <time datetime={value} title={exactly(date)}>
      {near(date) ?? dayOf(date)}
    </time>
  );
}

export function exactly(date: Date): string {
  return whole.format(date);
}

/** Without the year, if it is this one. */
export function dayOf(date: Date): string {
  return (date.getFullYear() === new Date().getFullYear() ? dayOfYear : day).format(date);
}

function near(date: Date): string | undefined {
  const seconds = Math.round((date.getTime() - Date.now()) / 1_000);
  const size = Math.abs(seconds);
  if (size > relativeDaysMax * 86_400) return undefined;
  if (size < 60) return seconds <= 0 ? 'just now' : 'in a minute';
  const [unit, length] = units.findLast(([, one]) => size >= one) ?? units[0];
  return span.format(Math.round(seconds / length), unit);
}

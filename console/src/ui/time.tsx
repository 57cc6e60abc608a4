const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
const whole = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const span = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' });

const units = [
  ['minute', 60],
  ['hour', 3_600],
  ['day', 86_400],
] as const;
const relativeDaysMax = 14;

/** A moment: how long ago where it is near, else the day; the exact time is in its title. */
export function Time({ value }: { value: string }) {
  const date = new Date(value);
  return (
    <time datetime={value} title={whole.format(date)}>
      {near(date) ?? day.format(date)}
    </time>
  );
}

function near(date: Date): string | undefined {
  const seconds = Math.round((date.getTime() - Date.now()) / 1_000);
  const size = Math.abs(seconds);
  if (size > relativeDaysMax * 86_400) return undefined;
  if (size < 60) return seconds <= 0 ? 'just now' : 'in a minute';
  const [unit, length] = units.findLast(([, one]) => size >= one) ?? units[0];
  return span.format(Math.round(seconds / length), unit);
}

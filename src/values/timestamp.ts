/** An instant as the interface prints it: UTC, whole seconds, `2024-06-08T13:38:33+00:00`. Sorts as text. */
export type Timestamp = string;

/** The instant as a Timestamp; fractions of a second are cut off, not rounded. */
export function formatTimestamp(instant: Date): Timestamp {
  return `${instant.toISOString().slice(0, 19)}+00:00`;
}

const isoPattern =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?)?(?: ?(Z|UTC|GMT|[+-]\d{2}(?::?\d{2})?))?$/i;
// What nearly all files hold, so that it is read without a Date; days that not every month has are left to it.
const plainUtcPattern =
  /^(?!0000)(\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8]))[T ]((?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d)(?:\.\d+)?(?:Z|\+00:00)?$/;
const unixPattern = /^\d{10}(\d{3})?$/;

/**
 * Reads ISO 8601 (`T` or a space; date alone is midnight; no offset is UTC) and Unix times of ten
 * (seconds) or thirteen (milliseconds) digits. Another offset is converted to UTC.
 * Undefined for anything else: forms such as 6/8/2024 mean different days in different countries.
 */
export function parseTimestamp(text: string): Timestamp | undefined {
  const plain = plainUtcPattern.exec(text);
  if (plain) return `${plain[1]}T${plain[2]}+00:00`;
  if (unixPattern.test(text)) {
    return formatTimestamp(new Date(Number(text) * (text.length === 10 ? 1000 : 1)));
  }
  const match = isoPattern.exec(text);
  if (!match) return undefined;
  const [year, month, day, hour, minute, second] = match
    .slice(1, 7)
    .map((part: string | undefined) => Number(part ?? '0')) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  const local = new Date(0);
  local.setUTCFullYear(year, month - 1, day);
  // The 30th of February rolls over into March instead of failing.
  if (local.getUTCMonth() !== month - 1 || local.getUTCDate() !== day) return undefined;
  local.setUTCHours(hour, minute, second);
  const offsetMinutes = parseOffset(match[7] ?? 'Z');
  if (offsetMinutes === undefined) return undefined;
  const instant = new Date(local.getTime() - offsetMinutes * 60_000);
  const utcYear = instant.getUTCFullYear();
  return utcYear >= 1 && utcYear <= 9999 ? formatTimestamp(instant) : undefined;
}

function parseOffset(text: string): number | undefined {
  if (!/^[+-]/.test(text)) return 0;
  const hours = Number(text.slice(1, 3));
  const minutes = Number(text.slice(3).replace(':', '') || '0');
  if (hours > 23 || minutes > 59) return undefined;
  return (text.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}

const durationPattern = /^([1-9]\d{0,5}|0)([smhdw])$/;
const unitSeconds = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 };

/** Seconds in a span such as `90d`, `24h`, `30m`; undefined when it is not one. */
export function parseDuration(text: string): number | undefined {
  const match = durationPattern.exec(text);
  if (!match) return undefined;
  return Number(match[1]) * unitSeconds[match[2] as keyof typeof unitSeconds];
}

/** The instant that many seconds later. */
export function addSeconds(instant: Date, seconds: number): Date {
  return new Date(instant.getTime() + seconds * 1000);
}

/** UTC in whole seconds, `2024-06-08T13:38:33+00:00`. Sorts as text. */
export type Timestamp = string;

export const timestampSchema = {
  type: 'string',
  format: 'date-time',
  maxLength: 25,
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\+00:00$',
  description: 'Time of creation: UTC, whole seconds.',
} as const;

/** Truncates fractions of a second. Throws for a year of more than four digits, which would sort as the oldest of all. */
export function formatTimestamp(instant: Date): Timestamp {
  const text = instant.toISOString();
  if (text.length !== 24) throw new RangeError('a timestamp has a year of four digits');
  return `${text.slice(0, 19)}+00:00`;
}

let latest = { ms: 0, count: 0 };

const countMax = 999;

/** Now, in microseconds: up to 1,000 per millisecond differ and sort in order, also as text among timestamps. */
export function newMoment(): string {
  const ms = Date.now();
  latest = { ms, count: ms === latest.ms ? Math.min(latest.count + 1, countMax) : 0 };
  return `${new Date(ms).toISOString().slice(0, 23)}${String(latest.count).padStart(3, '0')}+00:00`;
}

export function inSeconds(moment: string): Timestamp {
  return `${moment.slice(0, 19)}+00:00`;
}

export function isMoment(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{6})?\+00:00$/.test(text);
}

export function fileStamp(instant: Date): string {
  return `${instant.toISOString().slice(0, 19).replaceAll(':', '-')}Z`;
}

const isoPattern =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?)?(?: ?(Z|UTC|GMT|[+-]\d{2}(?::?\d{2})?))?$/i;
const plainUtcPattern =
  /^(?!0000)(\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8]))[T ]((?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d)(?:\.\d+)?(?:Z|\+00:00)?$/;
const unixPattern = /^\d{10}(\d{3})?$/;

/** Reads ISO 8601 (UTC and midnight by default) and Unix times of 10 or 13 digits; undefined for ambiguous forms. */
export function parseTimestamp(text: string): Timestamp | undefined {
  const plain = plainUtcPattern.exec(text);
  if (plain) return `${plain[1]}T${plain[2]}+00:00`;
  if (unixPattern.test(text)) {
    return formatTimestamp(new Date(Number(text) * (text.length === 10 ? 1000 : 1)));
  }
  const match = isoPattern.exec(text);
  if (!match) return undefined;
  const parts = match.slice(1, 7).map((part?: string) => Number(part ?? '0'));
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts;
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  const local = new Date(0);
  local.setUTCFullYear(year, month - 1, day);
  // The 30th of February would become a day of March.
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

const durationMaxSeconds = 100 * 365 * 86_400;

/** Seconds in `90d`, `24h` or `30m`; undefined for anything else, and for more than 100 years. */
export function parseDuration(text: string): number | undefined {
  const match = durationPattern.exec(text);
  if (!match) return undefined;
  const seconds = Number(match[1]) * unitSeconds[match[2] as keyof typeof unitSeconds];
  return seconds <= durationMaxSeconds ? seconds : undefined;
}

export const hour = 3_600;
export const day = 24 * hour;

export function addSeconds(instant: Date, seconds: number): Date {
  return new Date(instant.getTime() + seconds * 1000);
}

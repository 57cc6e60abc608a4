/**
 * A contact's place in the index is a number: its day, a bit that says that it came late, and a count. Within a day those
 * that came in the order of lists have it; whoever came later than somebody newer is beside them. So the newest are
 * found by walking the numbers down, and only those of one day that came late must be sorted.
 */
export type Place = number;

const placesOfHalf = 2 ** 24;
const placesOfDay = 2 * placesOfHalf;
const dayMs = 86_400_000;

export interface PlaceRange {
  from: Place;
  to: Place;
}

/** The day of a time, in days since 1970; undefined for the ends of a list, which are no times. */
export function dayOf(time: string): number | undefined {
  const ms = Date.parse(time.slice(0, 'yyyy-mm-dd'.length));
  return Number.isNaN(ms) ? undefined : ms / dayMs;
}

/** The second of its day. */
export function secondOf(time: string): number {
  const ms = Date.parse(`1970-01-01T${time.slice('yyyy-mm-ddT'.length, 'yyyy-mm-ddThh:mm:ss'.length)}Z`);
  return Number.isNaN(ms) ? 0 : ms / 1_000;
}

/** Years have four digits: sorts after every time. */
const afterLastDay = 'A';

/** Sorts before every time of the day, and after those of the day before. */
export function beginningOf(day: number): string {
  const text = new Date(day * dayMs).toISOString();
  return text.startsWith('+') ? afterLastDay : text.slice(0, 'yyyy-mm-dd'.length);
}

export function dayOfPlace(place: Place): number {
  return Math.floor(place / placesOfDay);
}

/** The places of a day that came in order. */
export function inOrder(day: number): PlaceRange {
  const from = day * placesOfDay;
  return { from, to: from + placesOfHalf - 1 };
}

export function late(day: number): PlaceRange {
  const from = day * placesOfDay + placesOfHalf;
  return { from, to: from + placesOfHalf - 1 };
}

export const firstPlace: Place = Number.MIN_SAFE_INTEGER;
export const lastPlace: Place = Number.MAX_SAFE_INTEGER;

/** Sorts like SQLite: by the bytes of UTF-8. */
export function comparePositions(
  [time, id]: readonly [string, string],
  [otherTime, otherId]: readonly [string, string],
) {
  if (time !== otherTime) return time < otherTime ? -1 : 1;
  return Buffer.compare(Buffer.from(id), Buffer.from(otherId));
}

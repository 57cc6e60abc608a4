import type { EventFilter } from '../events/event.ts';
import type { Access } from './database.ts';
import { blockLength, markedAs } from './event-marks.ts';
import { type Sql, sql } from './sql.ts';

/** The ranges of events that one statement reads, in order. No other event up to `end` matches. */
export interface Look {
  ranges: readonly Range[];
  end: bigint;
}

type Range = readonly [first: bigint, last: bigint];

/** Maximum that a statement reads: more would block the event loop for seconds. */
export interface LookLimits {
  events: bigint;
  blocks: number;
}

const usual: LookLimits = { events: 10_000n, blocks: 40 };
const length = BigInt(blockLength);

/** With a filter it goes to the blocks whose marks may match; what has no marks is looked through. */
export async function lookAhead(
  access: Access,
  projectId: string,
  filter: EventFilter,
  limits: LookLimits = usual,
): Promise<Look> {
  const { after, isDescending = false } = filter;
  const nearest = isDescending ? (after - 2n) / length : after / length;
  const blocks = sql`block ${isDescending ? sql`<=` : sql`>=`} cast(${String(nearest)} as bigint)`;
  const isMarked = markedAs(projectId, filter, blocks);
  if (!isMarked) return isDescending ? downFrom(limits, after, 1n, []) : upFrom(limits, after, []);
  const found = await access.all<{ newest: number | null; block: number | null }>(
    candidates(projectId, sql`${blocks} and ${isMarked}`, isDescending, limits.blocks),
  );
  const marked = BigInt((found[0]?.newest ?? -1) + 1) * length;
  const numbers = found.flatMap(({ block }) => (block === null ? [] : [BigInt(block)]));
  const sorted = numbers.toSorted((one, other) => (one < other ? -1 : 1));
  return isDescending
    ? downFrom(limits, after, marked + 1n, sorted)
    : upFrom(limits, after > marked ? after : marked, sorted, after);
}

function candidates(projectId: string, condition: Sql, isDescending: boolean, blocksMax: number): Sql {
  return sql`
    select (select max(block) from event_marks where project_id = ${projectId} and part = 0) as newest, block
    from projects left join (
      select block from event_marks where project_id = ${projectId} and part = 0 and ${condition}
      ${isDescending ? sql`order by block desc` : sql`order by block`} limit ${blocksMax}
    ) as found on 1 = 1
    where projects.id = ${projectId}`;
}

function upFrom(limits: LookLimits, lastMarked: bigint, blocks: readonly bigint[], after = lastMarked): Look {
  const ranges = blocks.map((block): Range => [greatest(block * length, after) + 1n, (block + 1n) * length]);
  const [, end] = ranges.at(-1) ?? [];
  if (end !== undefined && blocks.length === limits.blocks) return { ranges: joined(ranges), end };
  const tail = lastMarked + limits.events;
  return { ranges: joined([...ranges, [lastMarked + 1n, tail]]), end: tail };
}

function downFrom(limits: LookLimits, after: bigint, firstUnmarked: bigint, blocks: readonly bigint[]): Look {
  const first = greatest(after - limits.events, firstUnmarked);
  const tail: readonly Range[] = first < after ? [[first, after - 1n]] : [];
  if (first > firstUnmarked) return { ranges: tail, end: first };
  const ranges = blocks.map((block): Range => [block * length + 1n, least((block + 1n) * length, after - 1n)]);
  const end = blocks.length === limits.blocks ? ranges[0]?.[0] : undefined;
  return { ranges: joined([...ranges, ...tail]), end: end ?? 1n };
}

function joined(ranges: readonly Range[]): Range[] {
  const all: Range[] = [];
  for (const [first, last] of ranges) {
    const before = all.at(-1);
    if (before && before[1] + 1n === first) all[all.length - 1] = [before[0], last];
    else all.push([first, last]);
  }
  return all;
}

export function least(...all: readonly bigint[]): bigint {
  return all.reduce((one, other) => (one < other ? one : other));
}

export function greatest(...all: readonly bigint[]): bigint {
  return all.reduce((one, other) => (one > other ? one : other));
}

import { AppError } from '../errors.ts';
import type { EventPage } from './event.ts';

export type EventOrder = 'asc' | 'desc';

/** Without `order` ascending, without `feed` from the first event. `mark` ends the event's id; empty if not known. */
export interface FeedPosition {
  order?: EventOrder;
  sequence: bigint;
  feed?: string;
  mark?: string;
}

const markLength = 8;
const pattern = /^([ed])1\.([\da-z]{1,64})\.(\d{1,18})\.([\da-z]{0,8})$/;
const letterOf = { asc: 'e', desc: 'd' } as const;

export function cursorOf({ order = 'asc', feed, sequence, mark = '' }: FeedPosition & { feed: string }): string {
  return Buffer.from(`${letterOf[order]}1.${feed}.${sequence}.${mark}`).toString('base64url');
}

export function endOf({ feed, upTo }: EventPage, order: EventOrder = 'asc'): Required<FeedPosition> {
  return { order, feed, sequence: upTo.sequence, mark: markOf(upTo.id) };
}

/** Throws `invalid` for what is no cursor, and for one of the other order. */
export function positionOf(cursor: string, order: EventOrder = 'asc'): FeedPosition {
  if (cursor === '*') return { order, sequence: 0n };
  const [, letter, feed, digits, mark] = pattern.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (feed !== undefined && digits !== undefined && letter === letterOf[order]) {
    return { order, sequence: BigInt(digits), feed, mark: mark ?? '' };
  }
  const message =
    feed === undefined ? 'must be a cursor of this list' : `must be a cursor of a list with order=${order}`;
  throw new AppError('invalid', 'The cursor does not fit this list', {
    about: 'cursor',
    errors: [{ field: 'after', code: 'format', message }],
  });
}

/** Throws `cursor_expired` for a cursor of another feed, or of one that has lost events behind it. */
export function requireCurrent({ order, sequence, feed, mark = '' }: FeedPosition, page: EventPage): void {
  if (feed === undefined) return;
  const { from, oldest, last } = page;
  // A failover that lost commits, or a foreign restore, leaves other events under the same numbers.
  const isSameEvent = mark === '' || sequence < oldest || markOf(from.id) === mark;
  // Newest first, what is no longer kept was to come last.
  const isKept = order === 'desc' || sequence >= oldest - 1n;
  if (feed === page.feed && isKept && sequence <= last && isSameEvent) return;
  throw new AppError('cursor_expired', 'The cursor has expired', { about: 'cursor' });
}

function markOf(id: string | null): string {
  return id?.slice(-markLength) ?? '';
}

import { AppError } from '../errors.ts';
import type { EventPage } from './event.ts';

export interface FeedPosition {
  sequence: bigint;
  /** Undefined where the list begins at the oldest event, whatever the feed. */
  feed?: string;
  /** The end of the id of the event there; empty where it was not known. */
  mark?: string;
}

const markLength = 8;
const pattern = /^e1\.([\da-z]{1,64})\.(\d{1,18})\.([\da-z]{0,8})$/;

export function cursorOf({ feed, sequence, mark = '' }: FeedPosition & { feed: string }): string {
  return Buffer.from(`e1.${feed}.${sequence}.${mark}`).toString('base64url');
}

export function endOf({ feed, upTo }: EventPage): Required<FeedPosition> {
  return { feed, sequence: upTo.sequence, mark: markOf(upTo.id) };
}

export function positionOf(cursor: string): FeedPosition {
  if (cursor === '*') return { sequence: 0n };
  const [, feed, digits, mark] = pattern.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (feed !== undefined && digits !== undefined) return { sequence: BigInt(digits), feed, mark: mark ?? '' };
  throw new AppError('invalid', 'The cursor is none of this list', {
    about: 'cursor',
    errors: [{ field: 'after', code: 'format', message: 'must be a cursor of this list' }],
  });
}

/** Throws `cursor_expired` for a cursor of another feed, or of one that has lost events after it. */
export function requireCurrent({ sequence, feed, mark = '' }: FeedPosition, page: EventPage): void {
  if (feed === undefined) return;
  const { from, oldest, last } = page;
  // A failover that lost commits, or a foreign restore, leaves other events under the same numbers.
  const isSameEvent = mark === '' || sequence < oldest || markOf(from.id) === mark;
  if (feed === page.feed && sequence >= oldest - 1n && sequence <= last && isSameEvent) return;
  throw new AppError('cursor_expired', 'The cursor has expired', { about: 'cursor' });
}

function markOf(id: string | null): string {
  return id?.slice(-markLength) ?? '';
}

import { createCipheriv, createDecipheriv, hash } from 'node:crypto';

import { invalid } from '../validation.ts';
import { isId } from './identifier.ts';
import { isMoment } from './timestamp.ts';

/** The last row that a caller has met: its time and its id, by which lists are sorted. */
export type Position = readonly [time: string, id: string];

const cursorStart = '*';
const cursorLengthMax = 1_024;
const cursorPattern = '^(?:\\*|[A-Za-z0-9_-]+)$';

export const cursorSchema = {
  type: 'string',
  minLength: 1,
  maxLength: cursorLengthMax,
  pattern: cursorPattern,
  description: 'Begins a walk with `*` and goes on with `next_cursor`; not beside `page`.',
  examples: ['*'],
} as const;

export const nextCursorSchema = {
  type: ['string', 'null'],
  minLength: 1,
  maxLength: cursorLengthMax,
  pattern: cursorPattern,
  description: 'Where the walk goes on; null at its end.',
} as const;

export function requireOneWay({ page, cursor }: { page?: unknown; cursor?: unknown }): void {
  if (page === undefined || cursor === undefined) return;
  throw invalid([{ field: 'page', code: 'not_allowed', message: 'cannot stand beside cursor' }]);
}

/** A walk through a list that meets each row that stays exactly once. A cursor of another `name` is `invalid`. */
export function walkThrough<At>(
  name: readonly string[],
  cursor: string,
  toPosition: (parts: readonly unknown[]) => At | undefined,
) {
  const mark = hash('sha256', JSON.stringify(name), 'base64url').slice(0, 12);
  const position = cursor === cursorStart ? undefined : positionIn(cursor, mark, toPosition);
  return {
    take: async <Row>(
      limit: number,
      readAfter: (position: At | undefined, limit: number) => Promise<Row[]>,
      partsOf: (row: Row) => readonly string[],
    ): Promise<{ rows: Row[]; next_cursor: string | null }> => {
      const found = await readAfter(position, limit + 1);
      const rows = found.slice(0, limit);
      const last = found.length > limit ? rows.at(-1) : undefined;
      const next = last && Buffer.from(JSON.stringify([mark, ...partsOf(last)])).toString('base64url');
      return { rows, next_cursor: next ?? null };
    },
  };
}

export function timeAndId(parts: readonly unknown[]): Position | undefined {
  const [time, id] = parts;
  const isOne = parts.length === 2 && typeof time === 'string' && isMoment(time) && typeof id === 'string' && isId(id);
  return isOne ? [time, id] : undefined;
}

const blockLength = 16;

/** Keeps callers from reading or making up the number in a cursor. */
export function hiddenNumber(secret: string) {
  const key = hash('sha256', `cursor\n${secret}`, 'buffer');
  // Zeros and the number fill one block, so neither a chaining mode nor a signature is needed.
  const cipher = ['aes-256-ecb', key, null] as const;
  return {
    toParts: (number: number): readonly [string] => {
      const block = Buffer.alloc(blockLength);
      block.writeBigInt64BE(BigInt(number), blockLength / 2);
      return [
        createCipheriv(...cipher)
          .update(block)
          .toString('base64url'),
      ];
    },
    toPosition: (parts: readonly unknown[]): number | undefined => {
      const hidden =
        parts.length === 1 && typeof parts[0] === 'string' ? Buffer.from(parts[0], 'base64url') : undefined;
      if (hidden?.length !== blockLength) return undefined;
      const block = createDecipheriv(...cipher)
        .setAutoPadding(false)
        .update(hidden);
      return block.readBigInt64BE() === 0n ? Number(block.readBigInt64BE(blockLength / 2)) : undefined;
    },
  };
}

function positionIn<At>(cursor: string, mark: string, toPosition: (parts: readonly unknown[]) => At | undefined): At {
  const found = parsed(cursor);
  const position = Array.isArray(found) && found[0] === mark ? toPosition(found.slice(1)) : undefined;
  if (position !== undefined) return position;
  throw invalid([{ field: 'cursor', code: 'format', message: 'must be * or a next_cursor of this list' }]);
}

function parsed(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    return undefined;
  }
}

import { AppError } from './errors.ts';
import type { Event, EventType } from './events.ts';
import { read } from './operation.ts';

export const eventLimitDefault = 100;
export const eventLimitMax = 500;

export interface ListEvents {
  after?: string | undefined;
  limit?: number | undefined;
  types?: readonly EventType[] | undefined;
}

/** Events of the project in the order of commits, from a cursor on. Throws `invalid` for a cursor that is none. */
export const listEvents = read({
  name: 'listEvents',
  scope: 'events:read',
  run: async (
    { events },
    { projectId },
    { after = '*', limit = eventLimitDefault, types = [] }: ListEvents,
  ): Promise<{ events: Event[]; next_cursor: string }> => {
    const position = positionOf(after);
    const found = await events.list(projectId, { after: position, limit, types });
    const last = found.at(-1);
    return { events: found, next_cursor: cursorOf(last ? BigInt(last.sequence) : position) };
  },
});

const prefix = 'e1.';

function cursorOf(position: bigint): string {
  return Buffer.from(`${prefix}${position}`).toString('base64url');
}

function positionOf(cursor: string): bigint {
  if (cursor === '*') return 0n;
  const digits = /^e1\.(\d{1,18})$/.exec(Buffer.from(cursor, 'base64url').toString())?.[1];
  if (digits !== undefined) return BigInt(digits);
  throw new AppError('invalid', 'The cursor is none of this list', {
    about: 'cursor',
    errors: [{ field: 'after', code: 'format', message: 'must be a cursor of this list' }],
  });
}

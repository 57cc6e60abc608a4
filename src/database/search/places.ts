import type { ContactSearch } from '../../contacts/store.ts';

/** Places between these, both included. */
export interface Places {
  from: number;
  to: number;
}

export const allPlaces: Places = { from: Number.MIN_SAFE_INTEGER, to: Number.MAX_SAFE_INTEGER };

/** The places after this one. */
export function beyond(place: number | undefined, { from, to }: Places, order: ContactSearch['order']): Places {
  if (place === undefined) return { from, to };
  return order === 'newest' ? { from, to: place - 1 } : { from: place + 1, to };
}

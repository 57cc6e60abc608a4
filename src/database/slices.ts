/** Rows for one statement: more would block the event loop, or exceed PostgreSQL's time limit. */
export const sliceLength = 64;

export function slicesOf<T>(all: readonly T[]): T[][] {
  const count = Math.ceil(all.length / sliceLength);
  return Array.from({ length: count }, (_, place) => all.slice(place * sliceLength, (place + 1) * sliceLength));
}

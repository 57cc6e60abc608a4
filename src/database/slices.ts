/** What one statement takes: with more it would hold the thread that answers, or meet the time limit of PostgreSQL. */
export const sliceLength = 64;

export function slicesOf<T>(all: readonly T[]): T[][] {
  const count = Math.ceil(all.length / sliceLength);
  return Array.from({ length: count }, (_, place) => all.slice(place * sliceLength, (place + 1) * sliceLength));
}

/** What one statement takes: a larger one would hold the thread that answers, or another that PostgreSQL runs. */
export const sliceLength = 128;

export function slicesOf<T>(all: readonly T[]): T[][] {
  const count = Math.ceil(all.length / sliceLength);
  return Array.from({ length: count }, (_, place) => all.slice(place * sliceLength, (place + 1) * sliceLength));
}

/** Works off the items, so many at the same time. */
export async function atOnce<T>(
  count: number,
  items: Iterable<T>,
  work: (item: T, index: number) => Promise<void>,
): Promise<void> {
  const queue = [...items].entries();
  const workOff = async () => {
    for (const [index, item] of queue) await work(item, index);
  };
  await Promise.all(Array.from({ length: count }, workOff));
}

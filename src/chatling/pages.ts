export interface Page<Item> {
  items: readonly Item[];
  lastPage: number;
}

/** `tail`: all that was there at first is read. `page` is next, downwards; earlier passes read up to the time `floor`. */
export interface WalkPlace {
  phase: 'whole' | 'tail';
  page: number;
  floor?: string;
  newest: string;
}

interface Walked<Item> {
  read: (page: number) => Promise<Page<Item>>;
  /** The key of the order; undefined where it cannot be read. */
  timeOf: (item: Item) => string | undefined;
  /** Whether earlier steps, or an earlier walk, read all these entries of one page. */
  areKnown: (items: readonly Item[]) => Promise<boolean>;
}

const passesMax = 8;

/** Reads from the last page to the first, then the tail: deletions move entries to unread pages, so none is missed. */
export async function* walkPages<Item>(
  list: Walked<Item>,
  from?: WalkPlace,
): AsyncGenerator<{ items: readonly Item[]; place: WalkPlace }> {
  let place: WalkPlace | undefined = from;
  if (!place) {
    const { items, lastPage } = await list.read(1);
    if (lastPage <= 1) return yield { items, place: endedAt(1, latest(list, items, '')) };
    place = { phase: 'whole', page: lastPage, newest: '' };
  }
  for (let passes = 0; passes < passesMax; passes++) {
    const begun: WalkPlace = place;
    const { phase, page: top, floor } = begun;
    let [reads, last, newest] = [0, top, begun.newest];
    for (let page = top; page >= 1;) {
      const { items, lastPage } = await list.read(page);
      reads++;
      last = lastPage;
      newest = latest(list, items, newest);
      const isEnd = floor !== undefined && (await isAtFloor(list, items, floor));
      // Where many were deleted, the list may end before this page.
      page = isEnd ? 0 : Math.min(page - 1, lastPage);
      place = page < 1 ? endedAt(lastPage, newest) : { ...begun, phase: 'whole', page, newest };
      yield { items, place };
    }
    if (phase === 'tail' && reads === 1 && top >= last) return;
  }
}

function endedAt(page: number, newest: string): WalkPlace {
  return { phase: 'tail', page, floor: newest, newest };
}

function latest<Item>({ timeOf }: Walked<Item>, items: readonly Item[], than: string): string {
  return items.map(timeOf).reduce<string>((newest, time = '') => (time > newest ? time : newest), than);
}

/** Whether all entries are known and one is as old as the floor: new ones come after it in the list. */
async function isAtFloor<Item>(list: Walked<Item>, items: readonly Item[], floor: string): Promise<boolean> {
  const isOld = items.some((item) => {
    const time = list.timeOf(item);
    return time !== undefined && time <= floor;
  });
  return isOld && list.areKnown(items);
}

/** One page of a list at whose end newcomers appear, such as `date_asc`. */
export interface Page<Item> {
  items: readonly Item[];
  lastPage: number;
}

/** Where a walk goes on. It is a `tail` once everybody is read who was there when it began. */
export interface WalkPlace {
  phase: 'whole' | 'tail';
  /** The page to read next, downwards. */
  page: number;
  /** An earlier pass read everything up to this time; without it the pass goes down to the first page. */
  floor?: string;
  /** The latest time of anybody met. */
  newest: string;
}

export interface WalkStep<Item> {
  items: readonly Item[];
  /** Where to go on once the items are stored. */
  place: WalkPlace;
}

export interface Walked<Item> {
  read: (page: number) => Promise<Page<Item>>;
  /** By what the list is sorted; undefined where it cannot be read. */
  timeOf: (item: Item) => string | undefined;
  /** Whether these, of one page, were all brought by earlier steps or an earlier walk. */
  areKnown: (items: readonly Item[]) => Promise<boolean>;
}

/** The most passes over the tail, if new contacts keep coming. */
const passesMax = 8;

/**
 * Walks a list from its last page to its first, then reads its tail until nobody is new. A deletion moves people towards
 * pages that are still to be read: somebody may be met twice, and nobody is missed. Goes on from a place after any time.
 */
export async function* walkPages<Item>(list: Walked<Item>, from?: WalkPlace): AsyncGenerator<WalkStep<Item>> {
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

/** Whether all of the page are known, and one of them is old enough: newcomers are sorted behind that one. */
async function isAtFloor<Item>(list: Walked<Item>, items: readonly Item[], floor: string): Promise<boolean> {
  const isOld = items.some((item) => {
    const time = list.timeOf(item);
    return time !== undefined && time <= floor;
  });
  return isOld && list.areKnown(items);
}

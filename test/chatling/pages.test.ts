import { describe, expect, it } from 'vitest';

import { type WalkPlace, walkPages } from '../../src/chatling/pages.ts';
import { seededRandom } from '../support/random.ts';

interface Person {
  id: number;
  time: string;
}

const perPage = 25;
const timeOf = (second: number) => new Date(Date.UTC(2024, 0, 1) + second * 1_000).toISOString().slice(0, 19);

/** A list at whose end newcomers appear, read in pages; `between` is called after each page. */
function aList(count: number, between: (list: Person[]) => void = () => {}) {
  const list: Person[] = Array.from({ length: count }, (_, id) => ({ id, time: timeOf(Math.floor(id / 2)) }));
  const met = new Set<number>();
  let reads = 0;
  const walked = {
    read: async (page: number) => {
      reads++;
      const items = list.slice((page - 1) * perPage, page * perPage);
      const lastPage = Math.max(1, Math.ceil(list.length / perPage));
      between(list);
      return { items, lastPage };
    },
    timeOf: ({ time }: Person) => time,
    areKnown: async (items: readonly Person[]) => items.every(({ id }) => met.has(id)),
  };
  /** Walks, and stops after so many steps as a process that is killed. What it does not return is lost with it. */
  const walk = async (from?: WalkPlace, stepsMax = Infinity): Promise<WalkPlace | undefined> => {
    let place = from;
    let steps = 0;
    for await (const step of walkPages(walked, from)) {
      if (steps++ === stepsMax) break;
      for (const { id } of step.items) met.add(id);
      ({ place } = step);
    }
    return place;
  };
  return { list, met, walk, reads: () => reads };
}

const missedIn = ({ list, met }: ReturnType<typeof aList>) => list.filter(({ id }) => !met.has(id));

describe('a walk through pages', () => {
  it.each([0, 1, 25, 26, 50, 1_000])('meets all of %i, with two requests more than there are pages', async (count) => {
    const all = aList(count);
    const place = await all.walk();
    expect(missedIn(all)).toEqual([]);
    expect(all.reads()).toBeLessThanOrEqual(Math.ceil(count / perPage) + 2);
    expect(place?.phase).toBe('tail');
  });

  it('costs one request where nothing has changed since', async () => {
    const all = aList(1_000);
    const place = await all.walk();
    const before = all.reads();
    await all.walk(place);
    expect(all.reads() - before).toBe(1);
  });

  it('costs few requests for a few newcomers', async () => {
    const all = aList(1_000);
    const place = await all.walk();
    const before = all.reads();
    for (let id = 1_000; id < 1_060; id++) all.list.push({ id, time: timeOf(id) });
    await all.walk(place);
    expect(missedIn(all)).toEqual([]);
    expect(all.reads() - before).toBeLessThanOrEqual(7);
  });

  it.each(Array.from({ length: 60 }, (_, seed) => seed))(
    'misses nobody while people are deleted and added between its pages, and it is cut off (seed %i)',
    async (seed) => {
      const random = seededRandom(seed);
      let newest = 10_000;
      const all = aList(random.below(900), (list) => {
        // Bursts of more than a page, too.
        const deleted = random.pick([0, 0, 1, 2, 30]);
        const from = random.below(Math.max(1, list.length));
        list.splice(from, deleted);
        for (let added = random.pick([0, 0, 0, 1, 3]); added > 0; added--) {
          newest++;
          list.push({ id: newest, time: timeOf(newest) });
        }
      });
      let place: WalkPlace | undefined;
      for (let cut = random.below(5); cut > 0; cut--) {
        place = await all.walk(place, random.below(20));
        // Long enough for a page of newcomers and as many deletions.
        all.list.splice(random.below(Math.max(1, all.list.length)), random.pick([0, 30, 60]));
        for (let added = random.pick([0, 10, 80]); added > 0; added--) {
          newest++;
          all.list.push({ id: newest, time: timeOf(newest) });
        }
      }
      const there = [...all.list];
      await all.walk(place);
      const isThere = new Set(all.list);
      expect(there.filter((person) => isThere.has(person) && !all.met.has(person.id))).toEqual([]);
    },
  );

  it('does not take the same page for the end of the newcomers after a burst of deletions', async () => {
    let isBurst = false;
    const all = aList(500, (list) => {
      if (isBurst && list.length > 500) {
        isBurst = false;
        list.splice(0, perPage);
      }
    });
    const place = await all.walk();
    for (let id = 500; id < 600; id++) all.list.push({ id, time: timeOf(id) });
    isBurst = true;
    await all.walk(place);
    expect(missedIn(all)).toEqual([]);
  });
});

import { measureBesideCreates, measureCreates } from './creates.ts';
import { measureBesideCommits, measureBulk, measureFeed, measureLists } from './reads.ts';

export interface WritesOptions {
  rounds: number;
  seconds: number;
  folder: string;
}

export type WriteFigures = Awaited<ReturnType<typeof measureWrites>>;

/** Creates beside Express, bulk requests, lists, the feed, and what reads pay for writes. */
export async function measureWrites(options: WritesOptions) {
  const told = async <T>(what: string, measure: (options: WritesOptions) => Promise<T>): Promise<T> => {
    console.error(what);
    return measure(options);
  };
  return {
    creates: await told('creates', measureCreates),
    besideCreates: await told('reads beside creates', measureBesideCreates),
    besideCommits: await told('reads beside commits', measureBesideCommits),
    lists: await told('lists', measureLists),
    bulk: await told('bulk', measureBulk),
    feed: await told('feed', measureFeed),
  };
}

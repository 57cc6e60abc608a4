import { someQuery } from '../../test/support/many-scripts.ts';
import { isFound, words } from '../../test/support/search-reference.ts';
import type { Known, Random } from './people.ts';

/** The body of a search request without the cursor and the limit. */
export interface Search {
  query?: string | null;
  sort?: (typeof sorts)[number];
  tag?: string;
  created_after?: string;
  created_before?: string;
}

const sorts = ['added_desc', 'added_asc', 'date_desc', 'date_asc'] as const;
const odd = [null, '', '  ', '!!!', '*', '"', '%', '~', "\\' OR '1", 'a* NOT b', 'a AND (b', '-a', 'a:*', '\u{1F600}'];
const tags = ['vip', 'VIP', 'Très bien', '東京', 'no-reply', 'a b', 'nobody has it'];

/** Each row is one instant, first as answers write it, then in other accepted forms. */
const times = [
  ['2026-03-01T05:00:01+00:00', '2026-03-01T05:00:01Z', '2026-03-01T07:00:01+02:00', '2026-03-01 05:00:01'],
  ['2024-06-01T00:00:00+00:00', '2024-06-01', '2024-05-31T23:00:00-0100'],
  ['2021-01-01T00:00:00+00:00', '2021-01-01T00:00Z', '1609459200'],
  ['2026-06-01T00:00:00+00:00', '2026-06-01T00:00:00Z'],
] as const;

export function aSearch(random: Random, people: readonly Known[]): Search {
  const search: Search = {};
  const kind = random.below(40);
  if (kind > 3) search.query = someQuery(random, people);
  if (kind === 1) search.query = random.pick(odd);
  if (kind === 2) search.query = Array.from({ length: 8 + random.below(5) }, (_, index) => `w${index}`).join(' ');
  if (kind === 3) search.query = random.pick(['a', '강', '山']).repeat(63 + random.below(3));
  if (random.below(2) === 0) search.sort = random.pick(sorts);
  if (random.below(6) === 0) search.tag = random.pick(tags);
  if (random.below(6) === 0) search.created_after = random.pick(random.pick(times));
  if (random.below(6) === 0) search.created_before = random.pick(random.pick(times));
  return search;
}

const wordsMax = 10;
const wordLengthMax = 64;

const isLong = (word: string) => Array.from(word.normalize('NFC')).length > wordLengthMax;

/** The code of a refusal; undefined where the search is right. */
export function refusalOf({ query }: Search): string | undefined {
  const sought = words(query ?? '');
  if (sought.length > wordsMax) return 'too_many';
  return sought.some(isLong) ? 'too_long' : undefined;
}

/** Whom the promise names of people in the order in which they were added: the last of them first, unless it is asked otherwise. */
export function expected(people: readonly Known[], search: Search): Known[] {
  const query = search.query?.trim() ?? '';
  const tag = search.tag?.toLowerCase();
  const [after, before] = [search.created_after, search.created_before].map(instantOf);
  const found = people.filter(
    (one) =>
      (tag === undefined || one.tags.includes(tag)) &&
      (after === undefined || one.created_at > after) &&
      (before === undefined || one.created_at < before) &&
      (query === '' || isFound(one, query)),
  );
  return search.sort?.endsWith('_asc') === true ? found : found.toReversed();
}

function instantOf(text: string | undefined): string | undefined {
  return text === undefined ? undefined : times.find((forms) => (forms as readonly string[]).includes(text))?.[0];
}

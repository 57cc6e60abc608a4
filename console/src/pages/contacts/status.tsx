import { type PeopleList, rowsMax } from './list.ts';
import { countOf } from './view.ts';

const firstPage = 100;

/** How many there are, as far as it is known. What a search has found is read out, and what a scroll loads is not. */
export function Status({ list }: { list: PeopleList }) {
  return (
    <p class="people-status">
      <span aria-hidden="true">{seen(list)}</span>
      <span class="visually-hidden" role="status">
        {list.isStale ? '' : found(list)}
      </span>
    </p>
  );
}

function seen(list: PeopleList): string {
  const { rows, view } = list;
  // Rows of the previous view do not answer this search.
  if (!view || rows.length === 0 || list.isStale) return '';
  const count = rows.length.toLocaleString();
  if (list.isCut) return `The first ${rowsMax.toLocaleString()}. Search or filter to see others.`;
  if (list.hasMore) return `The first ${count}, and more as you scroll`;
  const what = rows.length === 1 ? 'contact' : 'contacts';
  return isNarrowed(list) ? `${count} ${what} found` : `${count} ${what}`;
}

function found(list: PeopleList): string {
  if (list.rows.length === 0) return 'Nobody found';
  const isMore = list.hasMore || list.rows.length > firstPage;
  const count = isMore ? `More than ${firstPage}` : String(list.rows.length);
  return `${count} ${list.rows.length === 1 ? 'contact' : 'contacts'}${isNarrowed(list) ? ' found' : ''}`;
}

export function isNarrowed({ view }: PeopleList): boolean {
  return view !== undefined && (view.query.trim() !== '' || countOf(view) > 0);
}

import { sentence } from '../../ui/field.tsx';
import { isInAddress } from './chips.ts';
import type { PeopleList } from './list.ts';
import { isNarrow, totalText, type View } from './view.ts';

/** How many there are, never beside rows of another view; it is read out when it changes. */
export function Status({ list: { view, rows, total, isStale, error } }: { list: PeopleList }) {
  const isNobody = rows.length === 0 && !error;
  return (
    <p class="people-status row small number">
      <span role="status">
        {!isStale && isNobody && <span class="visually-hidden">Nobody found</span>}
        {!isStale && !isNobody && total && `${sentence(totalText(total))}${isNarrow(view) ? ' found' : ''}`}
      </span>
      {!isStale && !isNobody && <span class="soft">{noteOn(view)}</span>}
    </p>
  );
}

function noteOn({ query, chips }: View): string {
  const isHidden = !chips.every(isInAddress);
  if (query === '') return isHidden ? 'The address of this page does not keep every filter.' : '';
  if (isHidden) return 'The address of this page keeps neither the search nor every filter.';
  return 'The address of this page does not keep the search.';
}

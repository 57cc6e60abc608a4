import type { ComponentChildren } from 'preact';

import type { PeopleList } from './list.ts';
import { rowsMax } from './loaded.ts';
import { isNarrow, type Total, totalText } from './view.ts';

/** How many there are, never beside rows of another view; it is read out when it changes. */
export function Status({ list }: { list: PeopleList }) {
  const { view, rows, total, isStale, text } = list;
  const isKnown = view !== undefined && !isStale;
  const count = isKnown && total && (total.value > 0 || rows.length > 0) ? found(list, total) : '';
  let note: ComponentChildren = '';
  if (list.isCut) note = `The first ${rowsMax.toLocaleString()} are shown. Search or filter to see others.`;
  else if (text.trim() !== '' && list.chips.length > 0)
    note = 'The address of this page keeps neither the search nor every filter.';
  else if (text.trim() !== '') note = 'The address of this page does not keep the search.';
  else if (list.chips.length > 0) note = 'The address of this page does not keep every filter.';
  return (
    <p class="people-status">
      <span role="status">
        {isKnown && rows.length === 0 && !list.error ? <span class="visually-hidden">Nobody found</span> : count}
      </span>
      {isKnown && rows.length > 0 && note !== '' && <span class="people-note">{note}</span>}
    </p>
  );
}

function found({ view }: PeopleList, total: Total): string {
  const text = totalText(total);
  const shown = text.charAt(0).toUpperCase() + text.slice(1);
  return view && isNarrow(view) ? `${shown} found` : shown;
}

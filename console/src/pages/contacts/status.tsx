import type { ComponentChildren } from 'preact';

import type { PeopleList } from './list.ts';
import { rowsMax } from './loaded.ts';
import { isNarrow, type Total } from './view.ts';

/** `50,000 contacts`, or `more than 10,000 contacts` where nobody counted further. */
export function totalText({ value, isExact }: Total): string {
  const number = value.toLocaleString();
  if (!isExact) return `more than ${number} contacts`;
  return value === 1 ? '1 contact' : `${number} contacts`;
}

/** How many there are, never beside rows of another view; it is read out when it changes. */
export function Status({ list }: { list: PeopleList }) {
  const { view, rows, total, isStale, text } = list;
  const isKnown = view !== undefined && !isStale;
  const count = isKnown && total && (total.value > 0 || rows.length > 0) ? counted(list, total) : '';
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

function counted({ view }: PeopleList, total: Total): string {
  const text = totalText(total);
  const shown = text.charAt(0).toUpperCase() + text.slice(1);
  return view && isNarrow(view) ? `${shown} found` : shown;
}

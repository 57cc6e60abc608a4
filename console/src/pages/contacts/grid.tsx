import { useLocation } from 'preact-iso';
import { useLayoutEffect, useRef } from 'preact/hooks';

import { Loading } from '../../ui/loading.tsx';
import { type ChatbotNames, type Column, tracksOf } from './columns.tsx';
import { focused, keyed, pressed } from './grid-keys.ts';
import { Headings } from './headings.tsx';
import type { PeopleList } from './list.ts';
import { keyOf, type Person } from './person.ts';
import { Row } from './row.tsx';
import { contactAddress } from './view.ts';
import { useWindow } from './window.ts';

interface GridProps {
  list: PeopleList;
  columns: readonly Column[];
  chatbots: ChatbotNames;
  mayPick: boolean;
}

/** People in a list that has as many rows in the page as can be seen, and some around them. */
export function Grid({ list, columns, chatbots, mayPick }: GridProps) {
  const { route } = useLocation();
  const box = useRef<HTMLDivElement>(null);
  const { first, end, rowHeight, onScroll } = useWindow(box, list.scrollTop);
  const tracks = tracksOf(columns);
  const context = {
    list,
    mayPick,
    rowHeight,
    box,
    open: ({ chatbot_id, id }: Person) => route(contactAddress(chatbot_id, id)),
  };

  useLayoutEffect(() => {
    if (box.current) box.current.scrollTop = list.scrollTop;
  }, [list, list.view, list.isStale]);
  useLayoutEffect(() => list.lookAhead(end), [list, end, list.rows]);

  return (
    <div
      ref={box}
      class="people"
      style={{ '--columns': tracks.columns, '--row-width': tracks.width }}
      role="grid"
      aria-label={list.view.isBin ? 'Contacts in the bin' : 'Contacts'}
      aria-rowcount={list.hasMore ? -1 : list.rows.length + 1}
      aria-multiselectable={mayPick}
      aria-busy={list.isStale}
      onScroll={({ currentTarget: { scrollTop } }) => {
        list.scrollTop = scrollTop;
        onScroll(scrollTop);
      }}
      onFocusIn={(event) => focused(event, context)}
      onKeyDown={(event) => keyed(event, context)}
      onClick={(event) => pressed(event, context)}
    >
      <Headings list={list} columns={columns} mayPick={mayPick} />
      <div role="rowgroup" class="people-rows" style={{ height: `calc(${list.rows.length} * var(--row))` }}>
        {placesIn(list, first, end).map(({ person, index }) => (
          <Row
            key={keyOf(person)}
            person={person}
            columns={columns}
            chatbots={chatbots}
            index={index}
            isActive={index === list.active}
            isSelected={list.isSelected(person)}
            mayPick={mayPick}
          />
        ))}
      </div>
      {list.isStale && list.rows.length === 0 && (
        <div aria-hidden="true">
          <Loading />
        </div>
      )}
    </div>
  );
}

/** The rows of the window, and the one that has the keyboard wherever it is: it would lose the focus. */
function placesIn(list: PeopleList, first: number, end: number) {
  const { rows, active } = list;
  const shown = rows.slice(first, end).map((person, place) => ({ person, index: first + place }));
  const held = rows[active];
  if (held && active < first) shown.unshift({ person: held, index: active });
  if (held && active >= end) shown.push({ person: held, index: active });
  return shown;
}

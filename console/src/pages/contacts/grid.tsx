import { useLocation } from 'preact-iso';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';

import { type Column, columnsOf, tracksOf } from './columns.tsx';
import { focused, keyed, pressed } from './grid-keys.ts';
import type { PeopleList } from './list.ts';
import { Row } from './row.tsx';
import { toggleAll } from './selection.ts';
import { contactAddress } from './view.ts';
import { useWindow } from './window.ts';

interface GridProps {
  list: PeopleList;
  chatbotId: string;
  mayPick: boolean;
}

/** People in a list that has as many rows in the page as can be seen, and some around them. */
export function Grid({ list, chatbotId, mayPick }: GridProps) {
  const { route } = useLocation();
  const box = useRef<HTMLDivElement>(null);
  const probe = useRef<HTMLDivElement>(null);
  const { first, end, rowHeight, onScroll } = useWindow(box, probe, list.scrollTop);
  const isBin = list.view?.isBin === true;
  const columns = useMemo(() => columnsOf(isBin), [isBin]);
  const tracks = tracksOf(columns);
  const hrefOf = (id: string) => contactAddress(chatbotId, id);
  const context = { list, mayPick, rowHeight, box, open: (id: string) => route(hrefOf(id)) };

  useLayoutEffect(() => {
    if (box.current) box.current.scrollTop = list.scrollTop;
  }, [list, list.view, list.isStale]);
  useLayoutEffect(() => list.lookAhead(end), [list, end, list.rows]);

  const shown = placesIn(list, first, end);
  return (
    <div
      class={list.isStale && list.rows.length > 0 ? 'people is-stale' : 'people'}
      style={{ '--columns': tracks.columns, '--row-width': tracks.width }}
    >
      <div
        ref={box}
        class="people-box"
        role="grid"
        aria-label={isBin ? 'Contacts in the bin' : 'Contacts'}
        aria-rowcount={list.hasMore ? -1 : list.rows.length + 1}
        aria-multiselectable={mayPick}
        aria-busy={list.isLoading}
        onScroll={({ currentTarget: { scrollTop } }) => {
          list.scrollTop = scrollTop;
          onScroll(scrollTop);
        }}
        onFocusIn={(event) => focused(event, context)}
        onKeyDown={(event) => keyed(event, context)}
        onClick={(event) => pressed(event, context)}
      >
        <Headings list={list} columns={columns} mayPick={mayPick} />
        <div role="rowgroup" class="people-rows" style={{ height: `${list.rows.length * rowHeight}px` }}>
          {shown.map(({ person, index }) => (
            <Row
              key={person.id}
              person={person}
              columns={columns}
              index={index}
              top={index * rowHeight}
              href={hrefOf(person.id)}
              isActive={index === list.active}
              isSelected={list.selected.has(person.id)}
              mayPick={mayPick}
            />
          ))}
        </div>
      </div>
      <div ref={probe} class="people-probe" aria-hidden="true" />
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

interface HeadingsProps {
  list: PeopleList;
  columns: readonly Column[];
  mayPick: boolean;
}

function Headings({ list, columns, mayPick }: HeadingsProps) {
  const isAll = list.rows.length > 0 && list.selected.size === list.rows.length;
  return (
    <div role="rowgroup" class="people-head">
      <div role="row" aria-rowindex={1} class="people-row">
        {mayPick && (
          <div role="columnheader" class="people-pick">
            <label>
              <input
                type="checkbox"
                checked={isAll}
                indeterminate={list.selected.size > 0 && !isAll}
                aria-label="Select everybody who is loaded"
                onChange={() => toggleAll(list)}
              />
            </label>
          </div>
        )}
        <div role="columnheader">Name</div>
        {columns.map(({ id, heading }) => (
          <div key={id} role="columnheader">
            {heading}
          </div>
        ))}
      </div>
    </div>
  );
}

import { useLocation } from 'preact-iso';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';

import { useSession } from '../../session.tsx';
import type { Chatbot } from '../../types.ts';
import { Failed } from '../../ui/failed.tsx';
import { useKeys } from '../../ui/keys.ts';
import { isInAddress } from './chips.ts';
import { chosenColumns, type Column, columnsOf, keepColumns } from './columns.tsx';
import { NobodyHere } from './empty.tsx';
import { ExportDialog } from './export-dialog.tsx';
import { Grid } from './grid.tsx';
import { Head } from './head.tsx';
import type { PeopleList } from './list.ts';
import type { Include } from './loaded.ts';
import { NewContact } from './new-contact.tsx';
import { SelectionBar } from './selection-bar.tsx';
import { Status } from './status.tsx';
import { Toolbar } from './toolbar.tsx';
import { beginList, useList } from './use-list.ts';
import { addressOf, type Filters, filtersIn, noFilters } from './view.ts';

type Open = 'export' | 'new' | undefined;

const includeOf = (columns: readonly Column[]): Include => [
  'tags',
  ...new Set(columns.flatMap(({ include }) => include ?? [])),
];

if (location.pathname === addressOf(noFilters)) {
  const filters = filtersIn(Object.fromEntries(new URLSearchParams(location.search)));
  beginList(filters, includeOf(columnsOf(chosenColumns(), filters.isBin, false)));
}

export function People({ chatbots }: { chatbots: readonly Chatbot[] }) {
  const { query, route } = useLocation();
  const { session, can } = useSession();
  const list = useList(session.id);
  const [open, setOpen] = useState<Open>();
  const [chosen, setChosen] = useState(chosenColumns);
  const searchBox = useRef<HTMLInputElement>(null);
  const mayWrite = can('contacts:write');
  const filters = filtersIn(query);
  const address = addressOf(filters);
  const only = chatbots.length === 1 ? chatbots[0] : chatbots.find(({ id }) => id === filters.chatbotId);
  const isOne = only !== undefined;
  const columns = useMemo(() => columnsOf(chosen, filters.isBin, isOne), [chosen, filters.isBin, isOne]);
  const names = useMemo(() => new Map(chatbots.map(({ id, name }) => [id, name])), [chatbots]);
  const filter = (next: Partial<Filters>) => {
    const { chips = [...filters.chips, ...list.chips], ...others } = next;
    list.chips = chips.filter((chip) => !isInAddress(chip));
    const wanted = addressOf({ ...filters, ...others, chips });
    if (wanted === address) list.follow(filters);
    else route(wanted, true);
  };

  useEffect(() => list.ask(includeOf(columns)), [list, columns]);
  useEffect(() => list.follow(filters), [list, address]);
  useEffect(() => list.refresh(), [list]);
  usePeopleKeys(list, searchBox, mayWrite, () => setOpen('new'));

  const isBusy = list.hasSelection || list.work !== undefined;
  return (
    <div class="people-page">
      <Head isBin={filters.isBin} mayWrite={mayWrite} onExport={() => setOpen('export')} onNew={() => setOpen('new')} />
      <Toolbar
        list={list}
        filters={filters}
        chatbots={chatbots}
        searchBox={searchBox}
        mayWrite={mayWrite}
        columns={chosen}
        onColumns={(next) => {
          keepColumns(next);
          setChosen(next);
        }}
        onFilter={filter}
      />
      {isBusy ? (
        <SelectionBar list={list} mayWrite={mayWrite} onExport={() => setOpen('export')} />
      ) : (
        <Status list={list} />
      )}
      {isNobody(list) ? (
        <NobodyHere list={list} chatbot={only} onNew={() => setOpen('new')} onFilter={filter} />
      ) : (
        <Grid
          list={list}
          columns={columns}
          chatbots={names}
          mayPick={mayWrite || !filters.isBin}
          onSort={(sort) => filter({ sort })}
        />
      )}
      {list.error && !isNobody(list) && <Failed error={list.error} retry={() => list.retry()} />}
      {open === 'new' && (
        <NewContact list={list} chatbots={chatbots} chosen={filters.chatbotId} onClose={() => setOpen(undefined)} />
      )}
      {open === 'export' && <ExportDialog list={list} chatbot={only} onClose={() => setOpen(undefined)} />}
    </div>
  );
}

/** Rows of the view before are no answer where the one that was asked for failed. */
function isNobody({ view, rows, isStale, error }: PeopleList): boolean {
  if (!view) return false;
  return error === undefined ? rows.length === 0 && !isStale : rows.length === 0 || isStale;
}

function usePeopleKeys(
  list: PeopleList,
  searchBox: { current: HTMLInputElement | null },
  mayWrite: boolean,
  onNew: () => void,
): void {
  const enter = () =>
    list.whenLoaded(() => document.querySelector<HTMLElement>(`.people [data-index="${list.active}"]`)?.focus());
  useKeys([
    { keys: '/', label: 'Search', run: () => searchBox.current?.focus() },
    { keys: 'f', label: 'Filter', run: () => document.querySelector<HTMLElement>('.filter-open')?.click() },
    { keys: 'ArrowDown', label: 'Go through the list, where Enter opens a contact', run: enter },
    { keys: 'x', label: 'In the list: select the contact (Shift: every row since your last choice)', run: enter },
    { keys: 'Escape', label: 'Clear the selection', run: () => list.select(new Map()) },
    ...(mayWrite ? [{ keys: 'n', label: 'New contact', run: onNew }] : []),
  ]);
}

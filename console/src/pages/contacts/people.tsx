import { useLocation } from 'preact-iso';
import { useEffect, useRef, useState } from 'preact/hooks';

import { useSession } from '../../session.tsx';
import type { Chatbot } from '../../types.ts';
import { Failed } from '../../ui/failed.tsx';
import { useKeys } from '../../ui/keys.ts';
import { NobodyHere } from './empty.tsx';
import { ExportDialog } from './export-dialog.tsx';
import { Grid } from './grid.tsx';
import { Head } from './head.tsx';
import type { PeopleList } from './list.ts';
import { NewContact } from './new-contact.tsx';
import { SelectionBar } from './selection-bar.tsx';
import { Status } from './status.tsx';
import { Toolbar } from './toolbar.tsx';
import { useList } from './use-list.ts';
import { addressOf, type Filters, filtersIn } from './view.ts';

interface PeopleProps {
  chatbots: readonly Chatbot[];
  chosen: Chatbot;
}

type Open = 'export' | 'new' | undefined;

export function People({ chatbots, chosen }: PeopleProps) {
  const { query, route } = useLocation();
  const { session, can } = useSession();
  const list = useList(session.id);
  const [open, setOpen] = useState<Open>();
  const searchBox = useRef<HTMLInputElement>(null);
  const mayWrite = can('contacts:write');
  const filters = filtersIn(query);
  const address = addressOf(chosen.id, filters);
  const filter = (next: Partial<Filters>) => route(addressOf(chosen.id, { ...filters, ...next }), true);

  useEffect(() => {
    // A query in another chatbot's contacts is of no use here.
    const isSame = list.view?.chatbotId === chosen.id && list.view.isBin === filters.isBin;
    list.show({ ...filters, chatbotId: chosen.id, query: isSame ? list.text.trim() : '' });
  }, [list, address]);
  useEffect(() => list.refresh(), [list]);
  usePeopleKeys(list, searchBox, mayWrite, () => setOpen('new'));

  return (
    <div class="people-page">
      <Head
        chatbots={chatbots}
        chosen={chosen}
        isBin={filters.isBin}
        mayWrite={mayWrite}
        onChoose={(id) => route(addressOf(id, { ...filters, isBin: false }))}
        onExport={() => setOpen('export')}
        onNew={() => setOpen('new')}
      />
      {list.selected.size > 0 ? (
        <SelectionBar list={list} mayWrite={mayWrite} onExport={() => setOpen('export')} />
      ) : (
        <Toolbar list={list} filters={filters} searchBox={searchBox} mayWrite={mayWrite} onFilter={filter} />
      )}
      <Status list={list} />
      {isNobody(list) ? (
        <NobodyHere list={list} chatbot={chosen} onNew={() => setOpen('new')} onFilter={filter} />
      ) : (
        <Grid list={list} chatbotId={chosen.id} mayPick={mayWrite || !filters.isBin} />
      )}
      {list.error && !isNobody(list) && <Failed error={list.error} retry={() => list.retry()} />}
      {open === 'new' && <NewContact list={list} chatbot={chosen} onClose={() => setOpen(undefined)} />}
      {open === 'export' && <ExportDialog list={list} chatbot={chosen} onClose={() => setOpen(undefined)} />}
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
  const enter = () => document.querySelector<HTMLElement>(`.people [data-index="${list.active}"]`)?.focus();
  useKeys([
    { keys: '/', label: 'Search', run: () => searchBox.current?.focus() },
    { keys: 'ArrowDown', label: 'Go through the list, where Enter opens a contact', run: enter },
    { keys: 'x', label: 'In the list: select the contact (Shift: every row since your last choice)', run: enter },
    { keys: 'Escape', label: 'Clear the selection', run: () => list.select(new Set()) },
    ...(mayWrite ? [{ keys: 'n', label: 'New contact', run: onNew }] : []),
  ]);
}

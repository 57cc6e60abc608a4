import './contacts.css';
import { useLocation } from 'preact-iso';
import { useEffect, useLayoutEffect, useMemo, useState } from 'preact/hooks';

import { useSession } from '../../session.tsx';
import type { Chatbot } from '../../types.ts';
import { Failed } from '../../ui/failed.tsx';
import { useKeys } from '../../ui/keys.ts';
import { PageHead } from '../../ui/page-head.tsx';
import { useChatbots } from '../../use-chatbots.ts';
import { columnsOf } from './columns.tsx';
import { NobodyHere, NoChatbots } from './empty.tsx';
import { ExportDialog } from './export-dialog.tsx';
import { focusActive } from './grid-keys.ts';
import { Grid } from './grid.tsx';
import { Head } from './head.tsx';
import type { PeopleList } from './list.ts';
import { NewContact } from './new-contact.tsx';
import { SelectionBar } from './selection-bar.tsx';
import { Status } from './status.tsx';
import { Toolbar } from './toolbar.tsx';
import { beginList, useList } from './use-list.ts';
import { filtersIn, path } from './view.ts';

if (location.pathname === path) beginList(filtersIn(location.search));

/** The people whom the chatbots of the project have met. They come without waiting for the chatbots. */
export function Contacts() {
  const { session } = useSession();
  const { data: chatbots } = useChatbots();
  if (chatbots?.length !== 0) return <People key={session.id} chatbots={chatbots ?? []} />;
  return (
    <>
      <PageHead title="Contacts" />
      <NoChatbots />
    </>
  );
}

function People({ chatbots }: { chatbots: readonly Chatbot[] }) {
  const { url, path: place } = useLocation();
  const { session, can } = useSession();
  const list = useList(session.id);
  const [open, setOpen] = useState<'export' | 'new'>();
  const mayWrite = can('contacts:write');
  const { chatbotId, isBin } = list.view;
  const only = chatbots.length === 1 ? chatbots[0] : chatbots.find(({ id }) => id === chatbotId);
  const isOne = only !== undefined;
  const columns = useMemo(() => columnsOf(list.columns, isBin, isOne), [list.columns, isBin, isOne]);
  const names = useMemo(() => new Map(chatbots.map(({ id, name }) => [id, name])), [chatbots]);

  // The page is shown for a moment more after somebody has left it.
  useLayoutEffect(() => (place === path ? list.follow(filtersIn(url)) : undefined), [list, url]);
  useEffect(() => void list.refresh(), [list]);
  usePeopleKeys(list, mayWrite, () => setOpen('new'));

  // Show no rows of the earlier view if the new one failed.
  const isNobody = list.isStale ? list.error !== undefined : list.rows.length === 0;
  const isBusy = list.hasSelection || list.work !== undefined;
  const close = () => setOpen(undefined);
  return (
    <div class="people-page">
      <Head isBin={isBin} onExport={() => setOpen('export')} onNew={() => setOpen('new')} />
      <Toolbar list={list} chatbots={chatbots} />
      {isBusy ? <SelectionBar list={list} onExport={() => setOpen('export')} /> : <Status list={list} />}
      {isNobody ? (
        <NobodyHere list={list} chatbot={only} onNew={() => setOpen('new')} />
      ) : (
        <Grid list={list} columns={columns} chatbots={names} mayPick={mayWrite || !isBin} />
      )}
      {list.error && !isNobody && <Failed error={list.error} retry={() => list.retry()} />}
      {open === 'new' && <NewContact list={list} chatbots={chatbots} onClose={close} />}
      {open === 'export' && <ExportDialog list={list} chatbot={only} onClose={close} />}
    </div>
  );
}

function usePeopleKeys(list: PeopleList, mayWrite: boolean, onNew: () => void): void {
  const enter = () => list.whenLoaded(focusActive);
  useKeys([
    { keys: 'f', label: 'Filter', run: () => document.querySelector<HTMLElement>('.filter-open')?.click() },
    { keys: 'ArrowDown', label: 'Go through the list, where Enter opens a contact', run: enter },
    { keys: 'x', label: 'In the list: select the contact (Shift: every row since your last choice)', run: enter },
    { keys: 'Escape', label: 'Clear the selection', run: () => list.select() },
    ...(mayWrite ? [{ keys: 'n', label: 'New contact', run: onNew }] : []),
  ]);
}

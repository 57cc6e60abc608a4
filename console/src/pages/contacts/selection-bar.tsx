import { useState } from 'preact/hooks';

import { useSession } from '../../session.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { ErrorNote } from '../../ui/failed.tsx';
import { useAction } from '../../use-action.ts';
import { counted, deletePeople, restorePeople } from './changing.ts';
import type { PeopleList } from './list.ts';
import { toggleAll } from './selection.ts';
import { TagDialog } from './tag-dialog.tsx';

interface SelectionBarProps {
  list: PeopleList;
  mayWrite: boolean;
  onExport: () => void;
}

/** Actions for all selected contacts, in place of the search. */
export function SelectionBar({ list, mayWrite, onExport }: SelectionBarProps) {
  const [open, setOpen] = useState<'tag' | 'delete'>();
  const { chatbotId = '', isBin = false } = list.view ?? {};
  const { bin_days: binDays, can } = useSession();
  const isFinal = binDays === 0;
  const remove = useAction(() => {
    const deleting = deletePeople({ list, chatbotId, ids: list.selected, isFinal });
    focusActive(list);
    return deleting;
  });
  const restore = useAction(async () => {
    const back = await restorePeople(chatbotId, list.selected);
    list.remove(back);
    focusActive(list);
  });
  const count = list.selected.size;
  return (
    <div class="people-tools">
      <div class="people-bar is-selection" role="group" aria-label="Selection">
        <IconButton icon="close" label="Clear the selection" onClick={() => list.select(new Set())} />
        <strong role="status">{count.toLocaleString()} selected</strong>
        {count < list.rows.length && (
          <Button kind="quiet" onClick={() => toggleAll(list)}>
            All {list.rows.length.toLocaleString()} loaded
          </Button>
        )}
        <span class="people-bar-space" />
        {!isBin && mayWrite && <Button onClick={() => setOpen('tag')}>Tag</Button>}
        {!isBin && can('contacts:export') && (
          <Button icon="download" onClick={onExport}>
            Export
          </Button>
        )}
        {mayWrite && !isBin && (
          <Button icon="trash" isBusy={remove.isBusy} onClick={() => (isFinal ? setOpen('delete') : void remove.run())}>
            Delete
          </Button>
        )}
        {mayWrite && isBin && (
          <Button kind="primary" isBusy={restore.isBusy} onClick={() => void restore.run()}>
            Restore
          </Button>
        )}
      </div>
      <ErrorNote error={remove.error ?? restore.error} />
      {open === 'tag' && <TagDialog list={list} onClose={() => setOpen(undefined)} />}
      {open === 'delete' && (
        <Confirm
          title={`Delete ${counted(count)} for good?`}
          verb="Delete for good"
          typed={String(count)}
          perform={remove.run}
          onClose={() => setOpen(undefined)}
        >
          <p>Everything that is kept of them is deleted. Nobody can bring it back.</p>
        </Confirm>
      )}
    </div>
  );
}

/** The bar goes with the selection, and would take the keyboard with it. */
function focusActive({ active }: PeopleList): void {
  requestAnimationFrame(() => document.querySelector<HTMLElement>(`.people [data-index="${active}"]`)?.focus());
}

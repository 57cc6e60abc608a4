import { useState } from 'preact/hooks';

import { useSession } from '../../session.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import type { IconName } from '../../ui/icon.tsx';
import { useAction } from '../../use-action.ts';
import type { Work } from './bulk.ts';
import { deleteSelected, restorePeople } from './changing.ts';
import { EditDialog } from './edit-dialog.tsx';
import { focusActive } from './grid-keys.ts';
import type { PeopleList } from './list.ts';
import { TagDialog } from './tag-dialog.tsx';
import { counted, totalText } from './view.ts';

/** What can be done with everybody who is selected, and how far it is. */
export function SelectionBar({ list, onExport }: { list: PeopleList; onExport: () => void }) {
  const [open, setOpen] = useState<'tag' | 'edit' | 'delete'>();
  const { everything, total, work, size } = list;
  const { bin_days: binDays, can } = useSession();
  const mayWrite = can('contacts:write');
  const { isBin } = list.view;
  const isFinal = binDays === 0;
  const remove = () => {
    void deleteSelected(list, isFinal);
    focusActive();
  };
  const restore = useAction(async () => {
    const back = await restorePeople([...list.selected.values()]);
    list.remove(back);
    focusActive();
  });
  if (work) return <Running work={work} />;
  const isMore = !everything && !isBin && total !== undefined && total.value > size.value;
  // Undo brings single people back; so many are asked about first.
  const isAsked = isFinal || everything !== undefined;
  const actions: (false | { icon: IconName; label: string; run: () => void })[] = [
    mayWrite && { icon: 'tag', label: 'Tag', run: () => setOpen('tag') },
    mayWrite && { icon: 'pencil', label: 'Edit a field', run: () => setOpen('edit') },
    can('contacts:export') && { icon: 'download', label: 'Export', run: onExport },
    mayWrite && { icon: 'trash', label: 'Delete', run: () => (isAsked ? setOpen('delete') : remove()) },
  ];
  return (
    <div class="row is-selection" role="group" aria-label="Selection">
      <IconButton icon="close" label="Clear the selection" onClick={() => list.select()} />
      <strong role="status">{sizeText(list)} selected</strong>
      {isMore && (
        <Button kind="quiet" onClick={() => list.selectEverything()}>
          Select all {total.isExact ? total.value.toLocaleString() : 'contacts'} that match
        </Button>
      )}
      <span class="people-bar-space" />
      {!isBin &&
        actions.map(
          (action) =>
            action && (
              <Button key={action.label} kind="quiet" icon={action.icon} onClick={action.run}>
                {action.label}
              </Button>
            ),
        )}
      {mayWrite && isBin && (
        <Button kind="primary" isBusy={restore.isBusy} onClick={() => void restore.run()}>
          Restore
        </Button>
      )}
      {open === 'tag' && <TagDialog list={list} onClose={() => setOpen(undefined)} />}
      {open === 'edit' && <EditDialog list={list} onClose={() => setOpen(undefined)} />}
      {open === 'delete' && (
        <Confirm
          title={isFinal ? `Delete ${counted(size.value)} for good?` : `Delete ${totalText(size)}?`}
          verb={isFinal ? 'Delete for good' : 'Delete'}
          typed={String(size.value)}
          perform={async () => remove()}
          onClose={() => setOpen(undefined)}
        >
          <p>
            {isFinal
              ? 'All their data is deleted. Nobody can restore it.'
              : `They are in the bins of their chatbots for ${binDays} days.`}
          </p>
        </Confirm>
      )}
    </div>
  );
}

function sizeText(list: PeopleList): string {
  const { value, isExact } = list.size;
  if (list.everything) return isExact ? `All ${value.toLocaleString()}` : `All, more than ${value.toLocaleString()},`;
  return value.toLocaleString();
}

function Running({ work: { label, done, total, waiting, stop } }: { work: Work }) {
  const max = total.isExact ? total.value : undefined;
  return (
    <div class="row is-selection is-running" role="group" aria-label="Selection">
      <progress aria-label={label} max={max} value={max && done} />
      <span role="status">
        {label}: {done.toLocaleString()} of {max?.toLocaleString() ?? 'more than 10,000'}
        {waiting !== undefined && `. Roster is busy; it continues in ${waiting} seconds`}
      </span>
      <span class="people-bar-space" />
      <Button kind="quiet" onClick={stop}>
        Stop
      </Button>
    </div>
  );
}

import { Check, SelectField } from '../../ui/field.tsx';
import { allColumns, type Column } from './columns.tsx';
import type { PeopleList } from './list.ts';
import { Popup } from './popup.tsx';
import { useFilter } from './use-list.ts';
import { type Sort, sortOf } from './view.ts';

const orders: Record<Sort, string> = {
  added_desc: 'Newest first',
  added_asc: 'Oldest first',
  updated_desc: 'Last updated first',
  updated_asc: 'Longest not updated first',
};

interface ViewMenuProps {
  list: PeopleList;
  columns: readonly Column[];
  onColumns: (columns: readonly Column[]) => void;
}

/** Which columns there are, and in which order the people. */
export function ViewMenu({ list, columns, onColumns }: ViewMenuProps) {
  const filter = useFilter(list);
  const { view } = list;
  const toggle = (column: Column, isOn: boolean) =>
    onColumns(allColumns.filter((one) => (one === column ? isOn : columns.includes(one))));
  return (
    <Popup label="View" icon="eye" class="button button-plain">
      {() => (
        <div class="stack">
          {!view.isBin && (
            <SelectField
              label="Order"
              value={sortOf(view)}
              choices={orders}
              hint={view.query === '' ? undefined : 'A search has the order in which contacts were added.'}
              onValue={(sort) => filter({ sort })}
            />
          )}
          <fieldset class="field checks">
            <legend>Columns</legend>
            {allColumns.map((column) => (
              <Check
                key={column.id}
                label={column.heading}
                isOn={columns.includes(column)}
                onChange={(isOn) => toggle(column, isOn)}
              />
            ))}
          </fieldset>
        </div>
      )}
    </Popup>
  );
}

import { Checks, SelectField } from '../../ui/field.tsx';
import { allColumns } from './columns.tsx';
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

/** Which columns there are, and in which order the people. */
export function ViewMenu({ list }: { list: PeopleList }) {
  const filter = useFilter(list);
  const { view } = list;
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
          <Checks
            label="Columns"
            choices={allColumns.map(({ id, heading }) => [id, heading] as const)}
            value={list.columns}
            onValue={(ids) => list.choose(ids)}
          />
        </div>
      )}
    </Popup>
  );
}

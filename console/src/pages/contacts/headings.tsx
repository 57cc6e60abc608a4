import { Icon } from '../../ui/icon.tsx';
import type { Column } from './columns.tsx';
import type { PeopleList } from './list.ts';
import { useFilter } from './use-list.ts';
import { sortOf } from './view.ts';

interface HeadingsProps {
  list: PeopleList;
  columns: readonly Column[];
  mayPick: boolean;
}

export function Headings({ list, columns, mayPick }: HeadingsProps) {
  const isAll = list.areAllSelected;
  return (
    <div role="rowgroup" class="people-head soft small">
      <div role="row" aria-rowindex={1} class="people-row">
        {mayPick && (
          <div role="columnheader" class="people-pick">
            <label>
              <input
                type="checkbox"
                checked={isAll}
                indeterminate={list.hasSelection && !isAll}
                aria-label="Select all loaded contacts"
                onChange={() => list.toggleAll()}
              />
            </label>
          </div>
        )}
        <div role="columnheader">Name</div>
        {columns.map((column) => (
          <Heading key={column.id} column={column} list={list} />
        ))}
      </div>
    </div>
  );
}

/** Sorts where the interface can; with words it knows only the order of addition. */
function Heading({ column: { heading, sort }, list }: { column: Column; list: PeopleList }) {
  const filter = useFilter(list);
  const { view } = list;
  const isSorting = sort === 'added' || (sort === 'updated' && view.query === '');
  if (!isSorting) return <div role="columnheader">{heading}</div>;
  const now = sortOf(view);
  const isOn = now.startsWith(sort);
  const isDown = now.endsWith('desc');
  return (
    <div role="columnheader" aria-sort={isOn ? (isDown ? 'descending' : 'ascending') : 'none'}>
      <button
        type="button"
        class="button button-quiet button-small people-sort"
        title={isOn && isDown ? 'Oldest first' : 'Newest first'}
        onClick={() => filter({ sort: `${sort}_${isOn && isDown ? 'asc' : 'desc'}` })}
      >
        {heading}
        {isOn && <Icon name="down" />}
      </button>
    </div>
  );
}

import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import type { PeopleList } from './list.ts';
import type { Filters } from './view.ts';

interface NobodyFoundProps {
  list: PeopleList;
  onFilter: (next: Partial<Filters>) => void;
}

export function NobodyFound({ list, onFilter }: NobodyFoundProps) {
  const { view } = list;
  if (!view) return null;
  const { query, chips } = view;
  const hasFilters = chips.length > 0;
  return (
    <Empty
      icon="search"
      title="Nobody found"
      actions={
        <>
          {hasFilters && <Button onClick={() => onFilter({ chips: [] })}>Clear the filters</Button>}
          {query !== '' && <Button onClick={() => list.search('')}>Clear the search</Button>}
        </>
      }
    >
      {query === '' ? (
        <p>No contact meets all the filters. A value is compared whole, in any letter case.</p>
      ) : (
        <p>
          Roster looks for words that begin with what you type: in the name, e-mail, company, job title, external id,
          tags and phone.
          {hasFilters ? ' The filters narrow it further.' : ' Fewer letters find more people.'}
        </p>
      )}
    </Empty>
  );
}

import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import type { PeopleList } from './list.ts';
import { useFilter } from './use-list.ts';

export function NobodyFound({ list }: { list: PeopleList }) {
  const filter = useFilter(list);
  const { query, chips } = list.view;
  const hasFilters = chips.length > 0;
  return (
    <Empty
      icon="search"
      title="Nobody found"
      actions={
        <>
          {hasFilters && <Button onClick={() => filter({ chips: [] })}>Clear the filters</Button>}
          {query !== '' && <Button onClick={() => filter({ query: '' })}>Clear the search</Button>}
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

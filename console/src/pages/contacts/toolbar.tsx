import type { RefObject } from 'preact';
import { useState } from 'preact/hooks';

import { useSession } from '../../session.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { FilterRow } from './filter-row.tsx';
import type { PeopleList } from './list.ts';
import { SearchBox } from './search-box.tsx';
import { addressOf, countOf, type Filters, noFilters } from './view.ts';

interface ToolbarProps {
  list: PeopleList;
  filters: Filters;
  searchBox: RefObject<HTMLInputElement | null>;
  mayWrite: boolean;
  onFilter: (next: Partial<Filters>) => void;
}

export function Toolbar({ list, filters, searchBox, mayWrite, onFilter }: ToolbarProps) {
  const count = countOf(filters);
  const [isOpen, setOpen] = useState(count > 0 || filters.sort !== 'date_desc');
  const { isBin } = filters;
  const { bin_days: binDays } = useSession();
  const chatbotId = list.view?.chatbotId ?? '';
  return (
    <div class="people-tools">
      <div class="people-bar">
        {isBin ? (
          <ButtonLink icon="left" href={addressOf(chatbotId, noFilters)}>
            Back to the contacts
          </ButtonLink>
        ) : (
          <SearchBox list={list} box={searchBox} />
        )}
        {!isBin && (
          <Button icon="filter" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {count === 0 ? 'Filters' : `Filters (${count})`}
          </Button>
        )}
        {!isBin && mayWrite && binDays > 0 && (
          <ButtonLink icon="trash" href={addressOf(chatbotId, { ...noFilters, isBin: true })}>
            Bin
          </ButtonLink>
        )}
      </div>
      {!isBin && isOpen && <FilterRow filters={filters} onFilter={onFilter} />}
    </div>
  );
}

import type { RefObject } from 'preact';

import { useSession } from '../../session.tsx';
import type { Chatbot } from '../../types.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { useChosen } from '../../use-chatbots.ts';
import { ChipBar } from './chip-bar.tsx';
import type { Column } from './columns.tsx';
import type { PeopleList } from './list.ts';
import { SearchBox } from './search-box.tsx';
import { ViewMenu } from './view-menu.tsx';
import { addressOf, type Filters, noFilters } from './view.ts';

interface ToolbarProps {
  list: PeopleList;
  filters: Filters;
  chatbots: readonly Chatbot[];
  searchBox: RefObject<HTMLInputElement | null>;
  mayWrite: boolean;
  columns: readonly Column[];
  onColumns: (columns: readonly Column[]) => void;
  onFilter: (next: Partial<Filters>) => void;
}

export function Toolbar(props: ToolbarProps) {
  const { list, filters, chatbots, searchBox, mayWrite, columns, onColumns, onFilter } = props;
  const { bin_days: binDays } = useSession();
  const { isBin, chatbotId } = filters;
  // The bin is that of one chatbot.
  const binOf = useChosen(chatbots, chatbotId)?.id ?? '';
  return (
    <div class="people-tools">
      <div class="people-bar">
        {isBin ? (
          <ButtonLink icon="left" href={addressOf({ ...noFilters, chatbotId })}>
            Back to the contacts
          </ButtonLink>
        ) : (
          <SearchBox list={list} box={searchBox} />
        )}
        <ViewMenu list={list} columns={columns} onColumns={onColumns} onFilter={onFilter} />
        {!isBin && mayWrite && binDays > 0 && binOf !== '' && (
          <ButtonLink icon="trash" href={addressOf({ ...noFilters, chatbotId: binOf, isBin: true })}>
            Bin
          </ButtonLink>
        )}
      </div>
      <ChipBar list={list} filters={filters} chatbots={chatbots} onFilter={onFilter} />
    </div>
  );
}

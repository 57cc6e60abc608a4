import { useSession } from '../../session.tsx';
import type { Chatbot } from '../../types.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { useChosen } from '../../use-chatbots.ts';
import { ChipBar } from './chip-bar.tsx';
import type { PeopleList } from './list.ts';
import { SearchBox } from './search-box.tsx';
import { ViewMenu } from './view-menu.tsx';
import { addressOf, noFilters } from './view.ts';

export function Toolbar({ list, chatbots }: { list: PeopleList; chatbots: readonly Chatbot[] }) {
  const { bin_days: binDays, can } = useSession();
  const { isBin, chatbotId } = list.view;
  // The bin is that of one chatbot.
  const binOf = useChosen(chatbots, chatbotId)?.id;
  return (
    <div class="stack">
      <div class="row">
        {isBin ? (
          <ButtonLink icon="left" href={addressOf({ ...noFilters, chatbotId })}>
            Back to the contacts
          </ButtonLink>
        ) : (
          <SearchBox list={list} />
        )}
        <ViewMenu list={list} />
        {!isBin && can('contacts:write') && binDays > 0 && binOf !== undefined && (
          <ButtonLink icon="trash" href={addressOf({ ...noFilters, chatbotId: binOf, isBin: true })}>
            Bin
          </ButtonLink>
        )}
      </div>
      <ChipBar list={list} chatbots={chatbots} />
    </div>
  );
}

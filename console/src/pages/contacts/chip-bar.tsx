import type { Chatbot } from '../../types.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { chipText, withChip } from './chips.ts';
import { FilterForm } from './filter-form.tsx';
import type { PeopleList } from './list.ts';
import { Popup } from './popup.tsx';
import { useFilter } from './use-list.ts';

/** What narrows the list: the chatbot, and every condition with a way to remove it. */
export function ChipBar({ list, chatbots }: { list: PeopleList; chatbots: readonly Chatbot[] }) {
  const filter = useFilter(list);
  const { isBin, chatbotId, chips } = list.view;
  return (
    <div class="row" role="group" aria-label="Filters">
      {(chatbots.length > 1 || chatbotId !== '') && (
        <select
          class={chatbotId === '' ? 'chip' : 'chip is-on'}
          aria-label="Chatbot"
          value={chatbotId}
          onChange={(event) => filter({ chatbotId: event.currentTarget.value })}
        >
          {!isBin && <option value="">All chatbots</option>}
          {chatbots.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      )}
      {chips.map((chip) => {
        const [field, what] = chipText(chip);
        return (
          <button
            key={`${field} ${what}`}
            type="button"
            class="chip is-on"
            aria-label={`Remove the filter ${field} ${what}`}
            onClick={() => filter({ chips: chips.filter((one) => one !== chip) })}
          >
            {field} <strong dir="auto">{what}</strong>
            <Icon name="close" />
          </button>
        );
      })}
      {!isBin && (
        <Popup label="Filter" icon="filter" class="chip filter-open">
          {(close) => (
            <FilterForm
              chatbotId={chatbotId}
              onAdd={(chip) => {
                close();
                filter({ chips: withChip(chips, chip) });
              }}
            />
          )}
        </Popup>
      )}
      {chips.length > 1 && (
        <Button kind="quiet" isSmall onClick={() => filter({ chips: [] })}>
          Clear
        </Button>
      )}
    </div>
  );
}

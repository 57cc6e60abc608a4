import { Component } from 'preact';

import type { ChatbotNames, Column } from './columns.tsx';
import { type Person, titleOf } from './person.ts';
import { Sign } from './sign.tsx';
import { contactAddress } from './view.ts';

export interface RowProps {
  person: Person;
  columns: readonly Column[];
  chatbots: ChatbotNames;
  index: number;
  isActive: boolean;
  isSelected: boolean;
  mayPick: boolean;
}

/** A row changes only with its own person, whatever happens around it. */
export class Row extends Component<RowProps> {
  override shouldComponentUpdate(next: RowProps): boolean {
    return (Object.keys(next) as (keyof RowProps)[]).some((name) => next[name] !== this.props[name]);
  }

  override render({ person, columns, chatbots, index, isActive, isSelected, mayPick }: RowProps) {
    return (
      <div
        role="row"
        class="people-row"
        data-index={index}
        aria-rowindex={index + 2}
        aria-selected={mayPick ? isSelected : undefined}
        tabIndex={isActive ? 0 : -1}
        style={{ transform: `translateY(calc(${index} * var(--row)))` }}
      >
        {mayPick && (
          <div role="gridcell" class="people-pick">
            <label>
              <input type="checkbox" tabIndex={-1} checked={isSelected} aria-label={`Select ${titleOf(person)}`} />
            </label>
          </div>
        )}
        <div role="gridcell" class="people-who">
          <Sign person={person} />
          <a
            href={contactAddress(person.chatbot_id, person.id)}
            tabIndex={-1}
            dir="auto"
            class={person.name === null ? 'cut is-unknown' : 'cut'}
          >
            {person.name ?? 'No name'}
          </a>
        </div>
        <div role="none" class="people-rest cut">
          {columns.map(({ id, cell }) => (
            <div key={id} role="gridcell" class={`people-cell cut soft number people-${id}`} dir="auto">
              {cell(person, chatbots)}
            </div>
          ))}
        </div>
      </div>
    );
  }
}

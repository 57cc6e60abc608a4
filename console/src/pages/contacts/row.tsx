import { Component } from 'preact';

import { mask } from './mask.ts';
import { type Person, titleOf } from './person.ts';
import { Sign } from './sign.tsx';

export interface RowProps {
  person: Person;
  index: number;
  top: number;
  href: string;
  isActive: boolean;
  isSelected: boolean;
  mayPick: boolean;
  isRevealed: boolean;
}

/** A row changes only with its own person, whatever happens around it. */
export class Row extends Component<RowProps> {
  override shouldComponentUpdate(next: RowProps): boolean {
    return (Object.keys(next) as (keyof RowProps)[]).some((name) => next[name] !== this.props[name]);
  }

  override render({ person, index, top, href, isActive, isSelected, mayPick, isRevealed }: RowProps) {
    return (
      <div
        role="row"
        class="people-row"
        data-index={index}
        aria-rowindex={index + 2}
        aria-selected={mayPick ? isSelected : undefined}
        tabIndex={isActive ? 0 : -1}
        style={{ transform: `translateY(${top}px)` }}
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
          <a href={href} tabIndex={-1} dir="auto" class={person.name === null ? 'is-unknown' : undefined}>
            {titleOf(person)}
          </a>
        </div>
        <Address kind="email" text={person.email} isRevealed={isRevealed} />
        <Address kind="phone" text={person.phone} isRevealed={isRevealed} />
        <div role="gridcell" class="people-company" dir="auto">
          {person.company}
        </div>
        <div role="gridcell" class="people-tags">
          {person.tags.map((tag) => (
            <span key={tag} class="tag" dir="auto">
              {tag}
            </span>
          ))}
        </div>
        <div role="gridcell" class="people-time">
          <time dateTime={person.deleted_at ?? person.created_at}>{dayOf(person.deleted_at ?? person.created_at)}</time>
        </div>
      </div>
    );
  }
}

interface AddressProps {
  kind: 'email' | 'phone';
  text: string | null;
  isRevealed: boolean;
}

const kinds = { email: 'E-mail address', phone: 'Phone number' } as const;

function Address({ kind, text, isRevealed }: AddressProps) {
  return (
    <div role="gridcell" class={`people-${kind}`}>
      {text !== null && isRevealed && text}
      {text !== null && !isRevealed && (
        <>
          <span class="is-masked" aria-hidden="true">
            {mask(text)}
          </span>
          <span class="visually-hidden">{kinds[kind]}, hidden</span>
        </>
      )}
    </div>
  );
}

const days = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });

function dayOf(time: string): string {
  return days.format(new Date(time));
}

import type { RefObject } from 'preact';
import { useLocation } from 'preact-iso';

import { IconButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { areShortcutsOn } from '../../ui/keys.ts';
import type { PeopleList } from './list.ts';
import { contactAddress } from './view.ts';

/** The query is sent with every key, and kept nowhere but in the list. */
export function SearchBox({ list, box }: { list: PeopleList; box: RefObject<HTMLInputElement | null> }) {
  const { text } = list;
  const { route } = useLocation();
  // Keys may be faster than the answer: the first Enter goes to the first row, the next one opens it.
  const enter = () => {
    const isSecond = list.isWaiting || isMoving;
    list.whenLoaded(() => {
      const person = list.rows[list.active];
      if (isSecond && person) route(contactAddress(person.chatbot_id, person.id));
      else focusFirst();
    });
  };
  return (
    <search class="people-search">
      <Icon name="search" />
      <input
        ref={box}
        class="input"
        type="text"
        dir="auto"
        inputMode="search"
        enterKeyHint="search"
        aria-label="Search contacts"
        aria-keyshortcuts={areShortcutsOn() ? '/' : undefined}
        placeholder={innerWidth < 768 ? 'Search' : 'Name, e-mail, company, tag or phone'}
        autocomplete="off"
        // In this spelling it is set as an attribute; the property of the other one takes "off" for true.
        autoCorrect="off"
        autocapitalize="none"
        spellcheck={false}
        maxLength={1_000}
        value={text}
        onInput={(event) => list.search(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && text !== '') list.search('');
          else if (event.key === 'ArrowDown' || event.key === 'Enter') enter();
          else return;
          event.preventDefault();
        }}
      />
      {text === '' ? (
        areShortcutsOn() && <kbd aria-hidden="true">/</kbd>
      ) : (
        <IconButton
          icon="close"
          label="Clear the search"
          onClick={() => {
            list.search('');
            box.current?.focus();
          }}
        />
      )}
    </search>
  );
}

let isMoving = false;

/** The rows come with the next rendering. */
function focusFirst(): void {
  isMoving = true;
  requestAnimationFrame(() => {
    isMoving = false;
    document.querySelector<HTMLElement>('.people .people-row[tabindex="0"]')?.focus();
  });
}

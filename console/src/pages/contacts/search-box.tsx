import type { RefObject } from 'preact';

import { IconButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { areShortcutsOn } from '../../ui/keys.ts';
import type { PeopleList } from './list.ts';

/** The query is sent with every key, and kept nowhere but in the list. */
export function SearchBox({ list, box }: { list: PeopleList; box: RefObject<HTMLInputElement | null> }) {
  const { text } = list;
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
        placeholder="Name, e-mail, company, tag or phone"
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
          else if (event.key === 'ArrowDown' || event.key === 'Enter') focusFirst();
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

function focusFirst(): void {
  document.querySelector<HTMLElement>('.people .people-row[tabindex="0"]')?.focus();
}

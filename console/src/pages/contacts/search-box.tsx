import { useLocation } from 'preact-iso';
import { useRef } from 'preact/hooks';

import { IconButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { areShortcutsOn, useKeys } from '../../ui/keys.ts';
import { focusActive } from './grid-keys.ts';
import type { PeopleList } from './list.ts';
import { contactAddress } from './view.ts';

/** The query is sent with every key, and kept nowhere but in the list. */
export function SearchBox({ list }: { list: PeopleList }) {
  const { query } = list.view;
  const box = useRef<HTMLInputElement>(null);
  const hasEntered = useRef(false);
  const { route } = useLocation();
  // Keys may be faster than the answer: the first Enter goes to the first row, the next one opens it.
  const enter = () => {
    const isSecond = hasEntered.current;
    hasEntered.current = true;
    list.whenLoaded(() => {
      const person = list.rows[list.active];
      if (isSecond && person) route(contactAddress(person.chatbot_id, person.id));
      else focusActive();
    });
  };
  const search = (text: string) => {
    hasEntered.current = false;
    list.show({ ...list.view, query: text.trimStart() });
  };
  useKeys([{ keys: '/', label: 'Search', run: () => box.current?.focus() }]);
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
        value={query}
        onFocus={() => (hasEntered.current = false)}
        onInput={(event) => search(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && query !== '') search('');
          else if (event.key === 'ArrowDown' || event.key === 'Enter') enter();
          else return;
          event.preventDefault();
        }}
      />
      {query !== '' && (
        <IconButton
          icon="close"
          label="Clear the search"
          onClick={() => {
            search('');
            box.current?.focus();
          }}
        />
      )}
    </search>
  );
}

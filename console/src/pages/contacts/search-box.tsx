import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

import { IconButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { areShortcutsOn } from '../../ui/keys.ts';
import type { PeopleList } from './list.ts';

/** A key that is held down asks once in this time. */
const restMs = 50;

/** The query is sent with every key, and kept nowhere but in the list. */
export function SearchBox({ list, box }: { list: PeopleList; box: RefObject<HTMLInputElement | null> }) {
  const kept = list.view?.query ?? '';
  const [text, setText] = useState(kept);
  const search = useSearch(list);
  // A list of another chatbot has no query.
  useEffect(() => setText(kept), [list.view?.chatbotId, kept === '']);
  const ask = (next: string) => {
    setText(next);
    search(next);
  };
  return (
    <search class="people-search">
      <Icon name="search" />
      <input
        ref={box}
        class="input"
        type="text"
        inputMode="search"
        enterKeyHint="search"
        aria-label="Search contacts"
        aria-keyshortcuts={areShortcutsOn() ? '/' : undefined}
        placeholder="Name, e-mail, company, tag or phone"
        autocomplete="off"
        autocorrect="off"
        autocapitalize="none"
        spellcheck={false}
        maxLength={1_000}
        value={text}
        onInput={(event) => ask(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && text !== '') ask('');
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
            ask('');
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

/** Asks at once, and for the last of what comes right after. */
function useSearch(list: PeopleList): (query: string) => void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const askedAt = useRef(0);
  useEffect(() => () => clearTimeout(timer.current), []);
  return (query) => {
    clearTimeout(timer.current);
    const ask = () => {
      askedAt.current = performance.now();
      if (list.view) list.show({ ...list.view, query: query.trim() });
    };
    const wait = askedAt.current + restMs - performance.now();
    if (wait <= 0) ask();
    else timer.current = setTimeout(ask, wait);
  };
}

import './entry.css';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

import { Icon } from '../../ui/icon.tsx';

interface EntryProps {
  title: string;
  children: ComponentChildren;
}

/** The first field, or else the title. */
const beginning = '.input, .entry-card:not(:has(.input)) h1';

/** A page outside of the console: one thing to do, in the middle. */
export function Entry({ title, children }: EntryProps) {
  const card = useRef<HTMLDivElement>(null);
  // Before the page is shown, so that the focus does not move after the first key.
  useLayoutEffect(() => {
    document.title = `${title} · Roster`;
    card.current?.querySelector<HTMLElement>(beginning)?.focus({ preventScroll: true });
  }, [title]);
  return (
    <main class="entry">
      <div class="entry-card card" ref={card}>
        <span class="brand-mark entry-mark" aria-hidden="true" />
        <h1 tabIndex={-1}>{title}</h1>
        {!isSecureContext && <Insecure />}
        {children}
      </div>
    </main>
  );
}

function Insecure() {
  return (
    <p class="note note-warn small">
      <Icon name="warning" />
      <span>This connection is not encrypted. Others on the network can read what you send.</span>
    </p>
  );
}

import './entry.css';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

import { Icon } from '../../ui/icon.tsx';

interface EntryProps {
  title: string;
  children: ComponentChildren;
}

/** A page outside of the console: one thing to do, in the middle. */
export function Entry({ title, children }: EntryProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  // Before the page is shown, so that the focus does not move after the first key.
  useLayoutEffect(() => {
    document.title = `${title} · Roster`;
    heading.current?.focus({ preventScroll: true });
  }, [title]);
  return (
    <main class="entry">
      <div class="entry-card">
        <span class="brand-mark entry-mark" aria-hidden="true" />
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
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
      <span>This connection is not encrypted. Others in the network may read along.</span>
    </p>
  );
}

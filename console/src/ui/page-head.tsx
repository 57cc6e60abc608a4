import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';

import { takeFocus } from '../layout/focus.ts';
import { CodeButton } from './code-button.tsx';

export interface PageHeadProps {
  title: string;
  /** The title of the tab, where the heading is personal: the history of the browser keeps it. */
  tab?: string;
  about?: ComponentChildren;
  /** The same by a program, as lines for a shell. */
  code?: string;
  /** The buttons beside the heading. */
  children?: ComponentChildren;
}

export function PageHead({ title, tab = title, about, code, children }: PageHeadProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${tab} · Roster`;
  }, [tab]);
  useLayoutEffect(() => {
    if (takeFocus()) heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <header class="page-head">
      <div class="page-head-text">
        <h1 ref={heading} tabIndex={-1}>
          <bdi>{title}</bdi>
        </h1>
        {about !== undefined && <p class="page-about soft">{about}</p>}
      </div>
      {(children !== undefined || code !== undefined) && (
        <div class="page-actions row">
          {code !== undefined && <CodeButton code={code} />}
          {children}
        </div>
      )}
    </header>
  );
}

import type { ComponentChildren } from 'preact';
import { useLocation } from 'preact-iso';
import { useId, useRef, useState } from 'preact/hooks';

import { FreshDialog } from '../fresh.tsx';
import { useSession } from '../session.tsx';
import { Icon } from '../ui/icon.tsx';
import { useKeys } from '../ui/keys.ts';
import { Toasts } from '../ui/toast.tsx';
import { FirstPasskey } from './first-passkey.tsx';
import { Help } from './help.tsx';
import { isShown, type Screen, screens } from './screens.ts';
import { Who } from './who.tsx';

export function Layout({ children }: { children: ComponentChildren }) {
  const { can, project } = useSession();
  const { route } = useLocation();
  const [isHelpOpen, setHelpOpen] = useState(false);
  const allowed = screens.filter(({ right }) => right === undefined || can(right));
  useKeys([
    { keys: '?', label: 'Show the shortcuts', run: () => setHelpOpen(true) },
    ...allowed.map(({ key, label, path }) => ({ keys: `g ${key}`, label: `Go to ${label}`, run: () => route(path) })),
  ]);
  return (
    <div class="shell">
      <a class="skip" href="#content" onClick={skip}>
        Skip to the content
      </a>
      <nav class="side" aria-label="Console">
        <a class="brand" href="/console">
          <span class="brand-mark" aria-hidden="true" />
          <span class="brand-name">{project.name}</span>
        </a>
        <ul class="side-list">
          {allowed.map((screen) => (
            <li key={screen.path}>
              <ScreenLink screen={screen} />
            </li>
          ))}
        </ul>
        <Who onShortcuts={() => setHelpOpen(true)} />
      </nav>
      <main id="content" class="main">
        <FirstPasskey />
        {children}
      </main>
      <BottomBar allowed={allowed} onShortcuts={() => setHelpOpen(true)} />
      <Toasts />
      <FreshDialog />
      {isHelpOpen && <Help onClose={() => setHelpOpen(false)} />}
    </div>
  );
}

/** The router would take a link within the page for a link to another one. */
function skip(event: Event): void {
  event.preventDefault();
  document.querySelector<HTMLElement>('main h1')?.focus();
}

function ScreenLink({ screen, onClick }: { screen: Screen; onClick?: () => void }) {
  const { path } = useLocation();
  const isCurrent = isShown(screen, path);
  return (
    <a class="screen-link" href={screen.path} aria-current={isCurrent ? 'page' : undefined} onClick={onClick}>
      <Icon name={screen.icon} />
      {screen.label}
    </a>
  );
}

function BottomBar({ allowed, onShortcuts }: { allowed: readonly Screen[]; onShortcuts: () => void }) {
  const id = useId();
  const more = useRef<HTMLDivElement>(null);
  const close = () => more.current?.hidePopover();
  return (
    <nav class="bottom" aria-label="Console">
      {allowed
        .filter((screen) => screen.isOnPhone)
        .map((screen) => (
          <ScreenLink key={screen.path} screen={screen} />
        ))}
      <button type="button" class="screen-link" popovertarget={id}>
        <Icon name="more" />
        More
      </button>
      <div id={id} ref={more} popover="auto" class="menu bottom-more">
        {allowed
          .filter((screen) => !screen.isOnPhone)
          .map((screen) => (
            <ScreenLink key={screen.path} screen={screen} onClick={close} />
          ))}
        <Who onShortcuts={onShortcuts} />
      </div>
    </nav>
  );
}

import type { ComponentChildren } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';

import { Icon, type IconName } from './icon.tsx';

export interface MenuItem {
  label: string;
  run: () => void;
  icon?: IconName;
  isDanger?: boolean;
}

interface MenuProps {
  /** The name of the button, also where it shows only an icon. */
  label: string;
  items: readonly (MenuItem | false | undefined)[];
  children?: ComponentChildren;
  kind?: 'plain' | 'icon' | 'quiet';
}

/** A button that opens a list of actions. */
export function Menu({ label, items, children, kind = 'icon' }: MenuProps) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const shown = items.filter((item) => item !== false && item !== undefined);
  if (shown.length === 0) return null;
  const choose = (item: MenuItem) => {
    list.current?.hidePopover();
    button.current?.focus();
    item.run();
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        class={`button button-${kind}`}
        aria-label={children === undefined ? label : undefined}
        title={children === undefined ? label : undefined}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        popovertarget={id}
      >
        {children ?? <Icon name="more" />}
      </button>
      <div
        ref={list}
        id={id}
        popover="auto"
        role="menu"
        aria-label={label}
        class="menu"
        onToggle={(event) => {
          setOpen(event.newState === 'open');
          if (event.newState === 'open') itemsIn(list.current)[0]?.focus();
        }}
        onKeyDown={(event) => move(event, list.current)}
      >
        {shown.map((item) => (
          <button
            key={item.label}
            type="button"
            role="menuitem"
            tabIndex={-1}
            class={item.isDanger === true ? 'menu-item danger' : 'menu-item'}
            onClick={() => choose(item)}
          >
            {item.icon && <Icon name={item.icon} />}
            {item.label}
          </button>
        ))}
      </div>
    </>
  );
}

function itemsIn(list: HTMLElement | null): HTMLElement[] {
  return [...(list?.querySelectorAll<HTMLElement>('[role="menuitem"]') ?? [])];
}

function move(event: KeyboardEvent, list: HTMLElement | null): void {
  const items = itemsIn(list);
  const at = items.indexOf(document.activeElement as HTMLElement);
  const next: Record<string, number> = {
    ArrowDown: (at + 1) % items.length,
    ArrowUp: (at - 1 + items.length) % items.length,
    Home: 0,
    End: items.length - 1,
  };
  const to = next[event.key];
  if (event.key === 'Tab') list?.hidePopover();
  if (to === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  items[to]?.focus();
}

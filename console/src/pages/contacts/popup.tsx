import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';

import { Icon, type IconName } from '../../ui/icon.tsx';

interface PopupProps {
  label: string;
  icon: IconName;
  class: string;
  /** What it holds while it is open. */
  children: (close: () => void) => ComponentChildren;
}

/** A button with a small form beside it, which closes by Escape or a click elsewhere. */
export function Popup({ label, icon, class: classes, children }: PopupProps) {
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const close = () => {
    box.current?.hidePopover();
    button.current?.focus();
  };
  useLayoutEffect(() => {
    const find = (selector: string) => box.current?.querySelector<HTMLElement>(selector);
    if (isOpen) (find('input.input') ?? find('select, input'))?.focus();
  }, [isOpen]);
  return (
    <>
      <button ref={button} type="button" class={classes} aria-expanded={isOpen} popovertarget={id}>
        <Icon name={icon} />
        <span>{label}</span>
      </button>
      <div
        ref={box}
        id={id}
        popover="auto"
        class="menu people-popup"
        role="dialog"
        aria-label={label}
        onToggle={(event) => setOpen(event.newState === 'open')}
      >
        {isOpen && children(close)}
      </div>
    </>
  );
}

import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';

import { IconButton } from './button.tsx';

interface DialogProps {
  title: string;
  onClose: () => void;
  /** Something would be lost: Escape, the cross and a click beside it do nothing. */
  isHeld?: boolean;
  children: ComponentChildren;
}

/** The first field, or else the title: never a button that something is lost by. */
const beginning = '.dialog-inside:has(.input) .input, .dialog-inside:not(:has(.input)) h2';

/**
 * Open as long as it is rendered. Escape, the cross and a click beside it close it, and the focus goes back to where
 * it was.
 */
export function Dialog({ title, onClose, isHeld = false, children }: DialogProps) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const opener = document.activeElement;
    const element = dialog.current;
    element?.showModal();
    element?.querySelector<HTMLElement>(beginning)?.focus();
    return () => {
      element?.close();
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
    };
  }, []);
  const close = () => {
    if (!isHeld) onClose();
  };
  return (
    <dialog
      ref={dialog}
      class="dialog"
      // Without this a browser may close it at the second Escape, whatever the page says.
      closedby={isHeld ? 'none' : 'closerequest'}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
      onMouseDown={(event) => {
        if (event.target === event.currentTarget) close();
      }}
    >
      <div class="dialog-inside">
        <div class="dialog-head">
          <h2 id={id} tabIndex={-1}>
            {title}
          </h2>
          {!isHeld && <IconButton icon="close" label="Close" onClick={close} />}
        </div>
        {children}
      </div>
    </dialog>
  );
}

/** The buttons at the end of a dialog: the one that goes on is last. */
export function DialogEnd({ children }: { children: ComponentChildren }) {
  return <div class="dialog-end">{children}</div>;
}

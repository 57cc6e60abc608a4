import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';

import { Button, IconButton } from './button.tsx';
import { CodeButton } from './code-button.tsx';

interface DialogProps {
  title: string;
  onClose: () => void;
  /** Something would be lost: Escape, the cross and a click beside it do nothing. */
  isHeld?: boolean;
  /** The same by a program, as lines for a shell. */
  code?: string | undefined;
  children: ComponentChildren;
}

/** The first field to type into, or else the first choice, or the title: never a button that something is lost by. */
const beginnings = ['input.input, textarea.input', '.input', 'h2'];

/**
 * Open as long as it is rendered. Escape, the cross and a click beside it close it, after a question if something was
 * typed. The focus then returns to its former place.
 */
export function Dialog({ title, onClose, isHeld = false, code, children }: DialogProps) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const opener = document.activeElement;
    const element = dialog.current;
    element?.showModal();
    const places = beginnings.map((one) => element?.querySelector<HTMLElement>(one));
    places.find((one) => one)?.focus();
    for (const field of element?.querySelectorAll<HTMLInputElement>(typed) ?? []) given.set(field, field.value.trim());
    return () => {
      element?.close();
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
    };
  }, []);
  const [isAsking, ask] = useState(false);
  const close = () => {
    if (isHeld) return;
    if (isDirty(dialog.current)) ask(true);
    else onClose();
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
      // A browser closes it at the third Escape, whatever the page says.
      onClose={({ currentTarget }) => {
        if (!currentTarget.isConnected) return;
        currentTarget.showModal();
        close();
      }}
      onMouseDown={(event) => {
        if (event.target === event.currentTarget) close();
      }}
    >
      <div class="dialog-inside">
        <div class="spread">
          <h2 id={id} tabIndex={-1}>
            {title}
          </h2>
          <div class="dialog-tools">
            {code !== undefined && <CodeButton code={code} />}
            {!isHeld && <IconButton icon="close" label="Close" onClick={close} />}
          </div>
        </div>
        {children}
        {isAsking && <Discard onDiscard={onClose} onStay={() => ask(false)} />}
      </div>
    </dialog>
  );
}

const typed = 'input:not([type=checkbox], [type=radio], [type=file], [readonly]), textarea';

/** Whether somebody has typed something into it. */
function isDirty(dialog: HTMLDialogElement | null): boolean {
  const fields = dialog?.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(typed) ?? [];
  return [...fields].some((field) => field.value.trim() !== (given.get(field) ?? field.dataset['given'] ?? ''));
}

/** Initial values of the fields. */
const given = new WeakMap<Element, string>();

function Discard({ onDiscard, onStay }: { onDiscard: () => void; onStay: () => void }) {
  const stay = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => stay.current?.querySelector('button')?.focus(), []);
  return (
    <div role="alert" class="note note-warn" ref={stay}>
      <span>Your changes are not saved.</span>
      <Button isSmall onClick={onStay}>
        Keep editing
      </Button>
      <Button isSmall kind="danger" onClick={onDiscard}>
        Discard
      </Button>
    </div>
  );
}

/** The buttons at the end of a dialog: the one that goes on is last. */
export function DialogEnd({ children }: { children: ComponentChildren }) {
  return <div class="dialog-end row">{children}</div>;
}

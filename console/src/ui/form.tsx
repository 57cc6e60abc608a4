import type { ComponentChildren, FormHTMLAttributes } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

import type { Action } from '../use-action.ts';
import { Button } from './button.tsx';
import { Dialog, DialogEnd } from './dialog.tsx';
import { ErrorNote } from './failed.tsx';

type FormProps = Omit<FormHTMLAttributes, 'action' | 'onSubmit' | 'title'> & {
  perform: () => unknown;
  onEscape?: () => void;
  /** The keyboard goes into its first field to type into. */
  takesFocus?: boolean;
  children: ComponentChildren;
};

/** Enter in a field does what the button does; the page stays. */
export function Form({ perform, onEscape, takesFocus, ...rest }: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  useLayoutEffect(() => {
    if (takesFocus !== true) return;
    const text = form.current?.querySelector<HTMLInputElement>('input.input');
    (text ?? form.current?.querySelector<HTMLElement>('.input'))?.focus();
    text?.select();
  }, []);
  return (
    <form
      {...rest}
      ref={form}
      onKeyDown={(event) => {
        if (onEscape === undefined || event.key !== 'Escape') return;
        event.stopPropagation();
        onEscape();
      }}
      onSubmit={(event) => {
        event.preventDefault();
        perform();
      }}
    />
  );
}

type FormDialogProps = Omit<FormProps, 'perform'> & {
  title: string;
  action: Pick<Action<[]>, 'run' | 'isBusy' | 'errorBesides'>;
  /** The action of the button, as a verb: `Create`. */
  verb: string;
  kind?: 'primary' | 'danger';
  isReady?: boolean;
  /** The fields that show their errors themselves. */
  fields?: readonly string[];
  error?: Error | undefined;
  /** The same by a program, as lines for a shell. */
  curl?: string;
  /** It makes something that is shown only once: while it is busy, it cannot be cancelled. */
  isMaking?: boolean;
  /** What was made, in place of the form. */
  made?: { title: string; shown: ComponentChildren } | undefined;
  onClose: () => void;
};

/** A dialog with a form: its fields, what went wrong, and the buttons `Cancel` and the one that continues. */
export function FormDialog({
  title,
  action,
  verb,
  kind = 'primary',
  isReady = true,
  fields = [],
  error,
  curl,
  isMaking = false,
  made,
  onClose,
  children,
  ...rest
}: FormDialogProps) {
  const isHeld = isMaking && action.isBusy;
  return (
    <Dialog
      title={made?.title ?? title}
      isHeld={made !== undefined || isHeld}
      code={made ? undefined : curl}
      onClose={onClose}
    >
      {made ? (
        <>
          <div class="stack">{made.shown}</div>
          <DialogEnd>
            <Button kind="primary" onClick={onClose}>
              Done
            </Button>
          </DialogEnd>
        </>
      ) : (
        <Form {...rest} perform={action.run}>
          {children}
          <ErrorNote error={error ?? action.errorBesides(...fields)} />
          <DialogEnd>
            <Button onClick={onClose} disabled={isHeld}>
              Cancel
            </Button>
            <Button kind={kind} type="submit" disabled={!isReady} isBusy={action.isBusy}>
              {verb}
            </Button>
          </DialogEnd>
        </Form>
      )}
    </Dialog>
  );
}

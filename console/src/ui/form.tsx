import type { ComponentChildren, FormHTMLAttributes } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

import { type Action, useAction } from '../use-action.ts';
import { Button } from './button.tsx';
import { Dialog, DialogEnd } from './dialog.tsx';
import { ErrorNote } from './failed.tsx';
import { toast } from './toast.tsx';

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

/** What was made, such as a link that is shown once. */
export interface Made {
  title: string;
  shown: ComponentChildren;
}

/**
 * The values of a form as they are typed, `input` without spaces at the ends, and what becomes of it: a sentence is told
 * and the form closes; what was made takes its place. `field` gives a control its value, and what the server says of it.
 */
export function useForm<Values extends object>(
  given: Values,
  perform: (input: Values) => Promise<Made | string | void>,
  onClose?: () => void,
) {
  const [values, setValues] = useState(given);
  const [made, setMade] = useState<Made>();
  const trimmed = Object.entries(values).map(([name, one]) => [name, typeof one === 'string' ? one.trim() : one]);
  const input = Object.fromEntries(trimmed) as Values;
  const action = useAction(async () => {
    const outcome = await perform(input);
    if (typeof outcome === 'object') return setMade(outcome);
    if (outcome !== undefined) toast(outcome);
    onClose?.();
  });
  const set = (changed: Partial<Values>) => setValues((before) => ({ ...before, ...changed }));
  const field = <Name extends keyof Values & string>(name: Name) => ({
    value: values[name],
    onValue: (value: Values[Name]) => setValues((before) => ({ ...before, [name]: value })),
    error: action.errorOf(name),
  });
  const errorBesides = (...shown: string[]) => action.errorBesides(...Object.keys(values), ...shown);
  return { ...action, errorBesides, values, input, set, field, made };
}

export type FormDialogProps = Omit<FormProps, 'perform'> & {
  title: string;
  action: Pick<Action<[]>, 'run' | 'isBusy' | 'errorBesides'> & {
    /** In place of the form. */
    made?: Made | undefined;
  };
  /** The action of the button, as a verb: `Create`. */
  verb: string;
  kind?: 'primary' | 'danger';
  isReady?: boolean;
  /** The fields that show their errors themselves. */
  fields?: readonly string[];
  error?: Error | undefined;
  /** The same by a program, as lines for a shell. */
  curl?: string | undefined;
  /** It makes something that is shown only once: while it is busy, it cannot be cancelled. */
  isMaking?: boolean;
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
  onClose,
  children,
  ...rest
}: FormDialogProps) {
  const { made } = action;
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

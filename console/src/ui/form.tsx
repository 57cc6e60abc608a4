import type { ComponentChildren, FormHTMLAttributes } from 'preact';

import type { Action } from '../use-action.ts';
import { Button } from './button.tsx';
import { DialogEnd } from './dialog.tsx';

type FormProps = Omit<FormHTMLAttributes, 'action' | 'onSubmit'> & {
  perform: () => unknown;
  children: ComponentChildren;
};

/** Enter in a field does what the button does; the page stays. */
export function Form({ perform, ...rest }: FormProps) {
  return (
    <form
      {...rest}
      onSubmit={(event) => {
        event.preventDefault();
        perform();
      }}
    />
  );
}

type DialogFormProps = Omit<FormProps, 'perform'> & {
  action: Pick<Action<[]>, 'run' | 'isBusy'>;
  /** The action of the button, as a verb: `Create`. */
  verb: string;
  kind?: 'primary' | 'danger';
  isReady?: boolean;
  /** While it is busy, it cannot be cancelled: what it makes would be lost. */
  isHeld?: boolean;
  onClose: () => void;
};

/** The fields of a dialog, above `Cancel` and the button that continues. */
export function DialogForm({
  action,
  verb,
  kind = 'primary',
  isReady = true,
  isHeld = false,
  onClose,
  children,
  ...rest
}: DialogFormProps) {
  return (
    <Form {...rest} perform={action.run}>
      {children}
      <DialogEnd>
        <Button onClick={onClose} disabled={isHeld && action.isBusy}>
          Cancel
        </Button>
        <Button kind={kind} type="submit" disabled={!isReady} isBusy={action.isBusy}>
          {verb}
        </Button>
      </DialogEnd>
    </Form>
  );
}

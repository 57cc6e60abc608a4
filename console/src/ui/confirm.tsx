import type { ComponentChildren } from 'preact';

import { TextField } from './field.tsx';
import { FormDialog, useForm } from './form.tsx';

interface ConfirmProps {
  title: string;
  /** The action of the button, as a verb: `Remove`. */
  verb: string;
  children: ComponentChildren;
  /** A text that has to be typed, where nothing brings back what is lost. */
  typed?: string;
  /** Missing counts as ready. */
  isReady?: boolean;
  /** The dialog closes when it has succeeded, and tells the sentence that it gives. */
  perform: () => Promise<string | void>;
  onClose: () => void;
}

/** Several spaces look like one in a page. */
const plain = (text: string) => text.trim().replaceAll(/\s+/g, ' ');

export function Confirm({ title, verb, children, typed, isReady: isGiven = true, perform, onClose }: ConfirmProps) {
  const form = useForm({ text: '' }, perform, onClose);
  const isReady = isGiven && (typed === undefined || plain(form.values.text) === plain(typed));
  return (
    <FormDialog title={title} action={form} verb={verb} kind="danger" isReady={isReady} onClose={onClose}>
      <div class="prose">{children}</div>
      {typed !== undefined && (
        <TextField
          label={
            <>
              Type <strong>{typed}</strong> to continue
            </>
          }
          {...form.field('text')}
        />
      )}
    </FormDialog>
  );
}

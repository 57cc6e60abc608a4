import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

import { useAction } from '../use-action.ts';
import { TextField } from './field.tsx';
import { FormDialog } from './form.tsx';

interface ConfirmProps {
  title: string;
  /** The action of the button, as a verb: `Remove`. */
  verb: string;
  children: ComponentChildren;
  /** A text that has to be typed, where nothing brings back what is lost. */
  typed?: string;
  /** Missing counts as ready. */
  isReady?: boolean;
  /** The dialog closes when it has succeeded. */
  perform: () => Promise<unknown>;
  onClose: () => void;
}

/** Several spaces look like one in a page. */
const plain = (text: string) => text.trim().replaceAll(/\s+/g, ' ');

export function Confirm({ title, verb, children, typed, isReady: isGiven = true, perform, onClose }: ConfirmProps) {
  const [text, setText] = useState('');
  const action = useAction(async () => {
    await perform();
    onClose();
  });
  const isReady = isGiven && (typed === undefined || plain(text) === plain(typed));
  return (
    <FormDialog title={title} action={action} verb={verb} kind="danger" isReady={isReady} onClose={onClose}>
      <div class="prose">{children}</div>
      {typed !== undefined && (
        <TextField
          label={
            <>
              Type <strong>{typed}</strong> to continue
            </>
          }
          value={text}
          onValue={setText}
        />
      )}
    </FormDialog>
  );
}

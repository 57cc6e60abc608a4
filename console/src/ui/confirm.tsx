import { TextField } from './field.tsx';
import { FormDialog, type FormDialogProps, type Made, useForm } from './form.tsx';

type ConfirmProps = Omit<FormDialogProps, 'action' | 'fields' | 'curl'> & {
  /** A text that has to be typed, where nothing brings back what is lost. */
  typed?: string;
  /** The dialog closes when it has succeeded, and tells the sentence that it gives or shows what was made. */
  perform: () => Promise<Made | string | void>;
};

/** Several spaces look like one in a page. */
const plain = (text: string) => text.trim().replaceAll(/\s+/g, ' ');

export function Confirm({ children, typed, isReady = true, perform, ...rest }: ConfirmProps) {
  const form = useForm({ text: '' }, perform, rest.onClose);
  const isTyped = typed === undefined || plain(form.values.text) === plain(typed);
  return (
    <FormDialog kind="danger" {...rest} action={form} isReady={isReady && isTyped}>
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

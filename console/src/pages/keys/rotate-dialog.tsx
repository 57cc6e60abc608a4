import type { ComponentChildren } from 'preact';

import { SelectField } from '../../ui/field.tsx';
import { FormDialog, type Made, useForm } from '../../ui/form.tsx';

const overlaps = {
  '1h': 'For one more hour',
  '24h': 'For one more day',
  '7d': 'For seven more days',
  '0s': 'No longer',
};
type Overlap = keyof typeof overlaps;

interface RotateDialogProps {
  title: string;
  /** What the old one does for a while: `The old key works`. */
  label: string;
  rotate: (overlap: Overlap) => Promise<Made>;
  curl?: ((overlap: Overlap) => string) | undefined;
  onClose: () => void;
  children: ComponentChildren;
}

/** Replaces a secret. Both work for a while, so that a program can be moved without a gap. */
export function RotateDialog({ title, label, rotate, curl, onClose, children }: RotateDialogProps) {
  const form = useForm<{ overlap: Overlap }>({ overlap: '24h' }, ({ overlap }) => rotate(overlap), onClose);
  return (
    <FormDialog title={title} action={form} verb="Rotate" isMaking curl={curl?.(form.values.overlap)} onClose={onClose}>
      <p class="prose">
        <span>{children}</span>
      </p>
      <div class="narrow">
        <SelectField label={label} choices={overlaps} {...form.field('overlap')} />
      </div>
    </FormDialog>
  );
}

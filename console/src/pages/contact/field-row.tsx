import { useId } from 'preact/hooks';

import { codeOf } from '../../api.ts';
import { draftOf, useDraft } from '../../drafts.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy.tsx';
import { ErrorNote } from '../../ui/failed.tsx';
import { sentence } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useAction } from '../../use-action.ts';
import { type FieldInfo, fields, type TextField } from './fields.ts';
import type { Saving } from './saving.ts';

export interface FieldProps<Name extends TextField = TextField> {
  /** The contact's place for drafts. */
  place: string;
  name: Name;
  value: string | null;
  mayWrite: boolean;
  isEdited: boolean;
  onEdit: () => void;
  onClose: () => void;
  save: Saving['save'];
}

/** A field that is edited where it stands. */
export function FieldRow({ place, name, value, mayWrite, isEdited, onEdit, ...more }: FieldProps) {
  const { label } = fields[name];
  const draft = draftOf(`${place}/${name}`);
  if (isEdited && mayWrite) return <Editor place={place} name={name} value={value} {...more} />;
  const shown = (
    <span class={value === null ? 'soft' : undefined} dir="auto">
      {value ?? 'Not known'}
    </span>
  );
  return (
    <div class="detail" data-field={name}>
      <span class="detail-label">{label}</span>
      {mayWrite ? (
        <button type="button" class="detail-value" data-edit={name} onClick={onEdit}>
          <span class="visually-hidden">Edit {label}: </span>
          {shown}
          {draft !== undefined && <span class="detail-draft">Not saved: {draft}</span>}
          <Icon name="pencil" />
        </button>
      ) : (
        <span class="detail-value">{shown}</span>
      )}
      {value !== null && (
        <span class="detail-more">
          <CopyButton isIcon text={value} label={`Copy ${label}`} />
        </span>
      )}
    </div>
  );
}

type EditorProps = Pick<FieldProps, 'place' | 'name' | 'value' | 'save' | 'onClose'>;

/** Enter saves, Escape leaves it as it was. */
export function Editor({ place, name, value, save, onClose }: EditorProps) {
  const { label, lengthMax, type, hint }: FieldInfo = fields[name];
  const id = useId();
  const { text, type: setText, settle } = useDraft(`${place}/${name}`, value ?? '');
  const discard = () => {
    settle();
    onClose();
  };
  const action = useAction(async () => {
    const next = text.trim() === '' ? null : text.trim();
    if (next !== value) await save({ [name]: next });
    discard();
  });
  const own = action.errorOf(`properties.${name}`) ?? action.errorOf('properties');
  const conflict = codeOf(action.error) === 'conflict' ? action.error?.message : undefined;
  const error = own ?? conflict;
  return (
    <Form class="detail detail-editor" data-field={name} noValidate perform={action.run} onEscape={discard}>
      <label class="detail-label" for={id}>
        {label}
      </label>
      <div class="row">
        <input
          id={id}
          ref={(element) => focusOnce(element)}
          class="input"
          type="text"
          dir="auto"
          inputMode={type ?? 'text'}
          autocomplete="off"
          maxLength={lengthMax}
          value={text}
          aria-invalid={error === undefined ? undefined : 'true'}
          aria-describedby={`${id}-hint ${id}-error`}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <Button kind="primary" type="submit" isBusy={action.isBusy}>
          Save
        </Button>
        <Button onClick={discard}>Cancel</Button>
        {hint !== undefined && (
          <p id={`${id}-hint`} class="field-hint">
            {hint}
          </p>
        )}
        <div id={`${id}-error`} role="alert">
          {error !== undefined && <p class="field-error">{sentence(error)}</p>}
          {error === undefined && <ErrorNote error={action.error} />}
        </div>
      </div>
    </Form>
  );
}

const seen = new WeakSet<HTMLElement>();

/** The keyboard goes into a field when it opens. */
export function focusOnce(element: HTMLInputElement | null): void {
  if (!element || seen.has(element)) return;
  seen.add(element);
  element.focus();
  element.select();
}

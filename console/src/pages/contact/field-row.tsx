import { useId } from 'preact/hooks';

import { codeOf } from '../../api.ts';
import { draftOf, useDraft } from '../../drafts.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/failed.tsx';
import { sentence } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useAction } from '../../use-action.ts';
import { CopyIcon } from './copy-icon.tsx';
import { type FieldInfo, fields, type TextField } from './fields.ts';
import type { Saving } from './saving.ts';

interface FieldRowProps {
  /** The contact's place for drafts. */
  place: string;
  name: TextField;
  value: string | null;
  mayWrite: boolean;
  isEdited: boolean;
  onEdit: () => void;
  onClose: () => void;
  save: Saving['save'];
}

/** A field that is edited where it stands. */
export function FieldRow({ place, name, value, mayWrite, isEdited, onEdit, onClose, save }: FieldRowProps) {
  const { label } = fields[name];
  const draft = draftOf(`${place}/${name}`);
  return (
    <div class="detail" data-field={name}>
      {isEdited && mayWrite ? (
        <Editor place={`${place}/${name}`} name={name} value={value} save={save} onClose={onClose} />
      ) : (
        <>
          <span class="detail-label">{label}</span>
          {mayWrite ? (
            <button type="button" class="detail-value" onClick={onEdit}>
              <span class="visually-hidden">Edit {label}: </span>
              <span class={value === null ? 'detail-none' : 'detail-text'} dir="auto">
                {value ?? 'Not known'}
              </span>
              {draft !== undefined && <span class="detail-draft">Not saved: {draft}</span>}
              <Icon name="pencil" />
            </button>
          ) : (
            <span class={value === null ? 'detail-value detail-none' : 'detail-value'} dir="auto">
              {value ?? 'Not known'}
            </span>
          )}
          {value !== null && (
            <span class="detail-more">
              {name === 'website' && <WebsiteLink website={value} />}
              <CopyIcon text={value} what={label} />
            </span>
          )}
        </>
      )}
    </div>
  );
}

type EditorProps = Pick<FieldRowProps, 'place' | 'name' | 'value' | 'save' | 'onClose'>;

/** Enter saves, Escape leaves it as it was. */
function Editor({ place, name, value, save, onClose }: EditorProps) {
  const { label, lengthMax, type, hint }: FieldInfo = fields[name];
  const id = useId();
  const { text, type: setText, settle } = useDraft(place, value ?? '');
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
    <Form class="detail-editor" noValidate perform={action.run} onEscape={discard}>
      <label class="detail-label" for={id}>
        {label}
      </label>
      <div class="detail-input">
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
          aria-describedby={`${id}-more`}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <Button kind="primary" type="submit" isBusy={action.isBusy}>
          Save
        </Button>
        <Button onClick={discard}>Cancel</Button>
        <div id={`${id}-more`} class="detail-below" aria-live="polite">
          {error !== undefined && <p class="field-error">{sentence(error)}</p>}
          {error === undefined && hint !== undefined && <p class="field-hint">{hint}</p>}
        </div>
        {error === undefined && <ErrorNote error={action.error} />}
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

function WebsiteLink({ website }: { website: string }) {
  const url = URL.parse(/^https?:\/\//i.test(website) ? website : `https://${website}`);
  if (!url || !/^https?:$/.test(url.protocol)) return null;
  return (
    <a
      class="button button-icon"
      href={url.href}
      target="_blank"
      rel="noopener noreferrer"
      aria-label="Open the website"
    >
      <Icon name="open" />
    </a>
  );
}

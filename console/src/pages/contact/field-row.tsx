import type { ComponentChildren } from 'preact';

import { draftOf, useDraft } from '../../drafts.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy.tsx';
import { ErrorNote } from '../../ui/failed.tsx';
import { TextField as TextInput } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useAction } from '../../use-action.ts';
import { type FieldInfo, fields, type TextField } from './fields.ts';
import type { Sheet } from './held.ts';

/** A field that is edited where it stands. */
export function FieldRow({ name, ...sheet }: Sheet & { name: TextField }) {
  const { label } = fields[name];
  const value = sheet.person[name];
  if (sheet.edited === name) return <Editor {...sheet} name={name} />;
  return (
    <Detail {...sheet} name={name} label={label} value={value}>
      {value !== null && <CopyButton isIcon text={value} label={`Copy ${label}`} />}
    </Detail>
  );
}

interface DetailProps extends Sheet {
  name: string;
  label: ComponentChildren;
  value: string | null;
  /** What else can be done with it. */
  children: ComponentChildren;
}

/** A value beside its label; a press on it edits it. */
export function Detail({ name, label, value, children, ...sheet }: DetailProps) {
  const shown = (
    <span class={value === null ? 'soft' : undefined} dir="auto">
      {value ?? 'Not known'}
    </span>
  );
  return (
    <div class="detail" data-field={name}>
      <span class="detail-label">{label}</span>
      {sheet.mayWrite ? (
        <button type="button" class="detail-value" data-edit={name} onClick={() => sheet.edit(name)}>
          <span class="visually-hidden">Edit {label}: </span>
          {shown}
          <Unsaved {...sheet} name={name} />
          <Icon name="pencil" />
        </button>
      ) : (
        <span class="detail-value">{shown}</span>
      )}
      <span class="detail-more">{children}</span>
    </div>
  );
}

/** The draft of a field that was left open. */
export function Unsaved({ place, name }: Pick<Sheet, 'place'> & { name: string }) {
  const draft = draftOf(`${place}/${name}`);
  return draft !== undefined && <span class="detail-draft">Not saved: {draft}</span>;
}

/** Enter saves, Escape leaves it as it was. */
export function Editor({ place, person, save, close, name }: Sheet & { name: TextField }) {
  const { label, lengthMax, type, hint }: FieldInfo = fields[name];
  const value = person[name];
  const { text, type: setText, settle } = useDraft(`${place}/${name}`, value ?? '');
  const discard = () => {
    settle();
    close(name);
  };
  const action = useAction(async () => {
    const next = text.trim() === '' ? null : text.trim();
    if (next !== value) await save({ [name]: next });
    discard();
  });
  const path = `properties.${name}`;
  return (
    <Form class="detail-editor" takesFocus data-field={name} noValidate perform={action.run} onEscape={discard}>
      <TextInput
        label={label}
        hint={hint}
        error={action.errorOf(path)}
        inputMode={type}
        maxLength={lengthMax}
        value={text}
        onValue={setText}
      />
      <Button kind="primary" type="submit" isBusy={action.isBusy}>
        Save
      </Button>
      <Button onClick={discard}>Cancel</Button>
      <ErrorNote error={action.errorBesides(path)} />
    </Form>
  );
}

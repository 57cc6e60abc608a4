import { useLayoutEffect, useRef, useState } from 'preact/hooks';

import { useDraft } from '../../drafts.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/failed.tsx';
import { TextField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useAction } from '../../use-action.ts';
import type { WholePerson } from '../contacts/person.ts';
import { addressOf, noFilters } from '../contacts/view.ts';
import type { Saving } from './saving.ts';

interface TagsProps {
  place: string;
  chatbotId: string;
  person: WholePerson;
  mayWrite: boolean;
  save: Saving['save'];
}

export function Tags({ place, chatbotId, person: { tags }, mayWrite, save }: TagsProps) {
  const section = useRef<HTMLElement>(null);
  const remove = useAction(async (tag: string) => {
    await save({ tags: { remove: [tag] } });
    section.current?.querySelector<HTMLElement>('.tags-add :is(input, button)')?.focus();
  });
  return (
    <section ref={section} class="tags-line" aria-label="Tags">
      <ul class="tags">
        {tags.map((one) => (
          <li key={one} class="tag" dir="auto">
            <a href={addressOf({ ...noFilters, chatbotId, chips: [{ field: 'tags', is: one }] })}>{one}</a>
            {mayWrite && (
              <button type="button" aria-label={`Remove the tag ${one}`} onClick={() => void remove.run(one)}>
                <Icon name="close" />
              </button>
            )}
          </li>
        ))}
      </ul>
      {mayWrite && <NewTag place={`${place}/tags`} save={save} />}
      <ErrorNote error={remove.error} />
    </section>
  );
}

/** A button, and once it is pressed a field, which stays for the next tag. */
function NewTag({ place, save }: Pick<TagsProps, 'place' | 'save'>) {
  const { text, type } = useDraft(place, '');
  const [isOpen, setOpen] = useState(text !== '');
  const form = useRef<HTMLDivElement>(null);
  const add = useAction(async (tag: string) => {
    await save({ tags: { add: [tag] } });
    type('');
  });
  useLayoutEffect(() => form.current?.querySelector('input')?.focus(), [isOpen]);
  const tag = text.trim().toLowerCase();
  const error = /[,;|]/.test(tag)
    ? 'must not contain a comma, a semicolon or a bar (|)'
    : (add.errorOf('properties.tags') ?? add.errorOf('properties.tags.add[0]'));
  const close = () => {
    type('');
    setOpen(false);
  };
  if (!isOpen) {
    return (
      <div class="tags-add">
        <Button kind="quiet" icon="plus" isSmall onClick={() => setOpen(true)}>
          Add tag
        </Button>
      </div>
    );
  }
  return (
    <div class="tags-add" ref={form}>
      <Form perform={() => tag !== '' && error === undefined && add.run(tag)} onEscape={close}>
        <TextField
          label={<span class="visually-hidden">New tag</span>}
          value={text}
          maxLength={40}
          error={error}
          onValue={(next) => {
            type(next);
            add.clear();
          }}
        />
        <Button type="submit" disabled={tag === ''} isBusy={add.isBusy}>
          Add
        </Button>
      </Form>
      <ErrorNote error={error === undefined ? add.error : undefined} />
    </div>
  );
}

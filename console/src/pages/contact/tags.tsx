import { useRef, useState } from 'preact/hooks';

import { useDraft } from '../../drafts.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/failed.tsx';
import { Form } from '../../ui/form.tsx';
import { useAction } from '../../use-action.ts';
import { ValueField } from '../contacts/value-field.tsx';
import { addressOf, noFilters } from '../contacts/view.ts';
import type { Sheet } from './held.ts';

export function Tags(sheet: Sheet) {
  const { chatbotId, person, mayWrite, save } = sheet;
  const section = useRef<HTMLElement>(null);
  const remove = useAction(async (tag: string) => {
    await save({ tags: { remove: [tag] } });
    section.current?.querySelector<HTMLElement>(':scope > :last-child:is(button), :scope > form input')?.focus();
  });
  return (
    <section ref={section} class="tags-line row" aria-label="Tags">
      <ErrorNote error={remove.error} />
      <ul class={person.tags.length > 0 ? 'row' : 'visually-hidden'}>
        {person.tags.map((one) => (
          <li key={one} class="badge" dir="auto">
            <a href={addressOf({ ...noFilters, chatbotId, chips: [{ field: 'tags', is: one }] })}>{one}</a>
            {mayWrite && (
              <IconButton icon="close" label={`Remove the tag ${one}`} onClick={() => void remove.run(one)} />
            )}
          </li>
        ))}
      </ul>
      {mayWrite && <NewTag {...sheet} />}
    </section>
  );
}

/** A button, and once it is pressed a field, which stays for the next tag. */
function NewTag({ place, chatbotId, save }: Sheet) {
  const { text, type } = useDraft(`${place}/tags`, '');
  const [isOpen, setOpen] = useState(text !== '');
  const add = useAction(async (tag: string) => {
    await save({ tags: { add: [tag] } });
    type('');
  });
  const tag = text.trim().toLowerCase();
  const isWrong = /[,;|]/.test(tag);
  const ofServer = add.errorOf('properties.tags') ?? add.errorOf('properties.tags.add[0]');
  const error = isWrong ? 'must not contain a comma, a semicolon or a bar (|)' : ofServer;
  const close = () => {
    type('');
    setOpen(false);
  };
  if (!isOpen) {
    return (
      <Button kind="quiet" icon="plus" isSmall onClick={() => setOpen(true)}>
        Add tag
      </Button>
    );
  }
  return (
    <Form class="row" takesFocus perform={() => tag !== '' && !isWrong && add.run(tag)} onEscape={close}>
      <ValueField
        label={<span class="visually-hidden">New tag</span>}
        field="tags"
        chatbotId={chatbotId}
        value={text}
        error={error}
        onValue={(next) => {
          type(next);
          add.clear();
        }}
      />
      <Button type="submit" disabled={tag === ''} isBusy={add.isBusy}>
        Add
      </Button>
      <ErrorNote error={error === undefined ? add.error : undefined} />
    </Form>
  );
}

import { useRef } from 'preact/hooks';

import { useDraft } from '../../drafts.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/failed.tsx';
import { Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useAction } from '../../use-action.ts';
import type { WholePerson } from '../contacts/person.ts';
import { addressOf, noFilters } from '../contacts/view.ts';
import type { Saving } from './saving.ts';

interface TagsCardProps {
  place: string;
  chatbotId: string;
  person: WholePerson;
  mayWrite: boolean;
  save: Saving['save'];
}

export function TagsCard({ place, chatbotId, person: { tags }, mayWrite, save }: TagsCardProps) {
  const { text, type: setText } = useDraft(`${place}/tags`, '');
  const card = useRef<HTMLElement>(null);
  const change = useAction(async (add: string[], remove: string[]) => {
    await save({ tags: { add, remove } });
    setText('');
    // The Add button is disabled without a text.
    if (remove.length > 0) card.current?.querySelector('input')?.focus();
  });
  const tag = text.trim().toLowerCase();
  const error = /[,;|]/.test(tag)
    ? 'must not contain a comma, a semicolon or a bar (|)'
    : (change.errorOf('properties.tags') ?? change.errorOf('properties.tags.add[0]'));
  return (
    <section class="card" ref={card} aria-labelledby="tags-title">
      <h2 id="tags-title">Tags</h2>
      {tags.length === 0 && !mayWrite && <p class="soft">None</p>}
      <div class="tags-line">
        <ul class="tags">
          {tags.map((one) => (
            <li key={one} class="tag" dir="auto">
              <a href={addressOf(chatbotId, { ...noFilters, tag: one })}>{one}</a>
              {mayWrite && (
                <button type="button" aria-label={`Remove the tag ${one}`} onClick={() => void change.run([], [one])}>
                  <Icon name="close" />
                </button>
              )}
            </li>
          ))}
        </ul>
        {mayWrite && (
          <Form class="tags-add" perform={() => error === undefined && change.run([tag], [])}>
            <Field label={<span class="visually-hidden">New tag</span>} error={error}>
              {(tied) => (
                <input
                  {...tied}
                  class="input"
                  dir="auto"
                  placeholder="New tag"
                  maxLength={40}
                  autocomplete="off"
                  autocapitalize="none"
                  value={text}
                  onInput={(event) => {
                    setText(event.currentTarget.value);
                    change.clear();
                  }}
                />
              )}
            </Field>
            <Button type="submit" icon="plus" disabled={tag === ''} isBusy={change.isBusy}>
              Add
            </Button>
          </Form>
        )}
      </div>
      <ErrorNote error={error === undefined ? change.error : undefined} />
    </section>
  );
}

import { useState } from 'preact/hooks';

import { Button } from '../../ui/button.tsx';
import { FormDialog } from '../../ui/form.tsx';
import { useAction } from '../../use-action.ts';
import { tagSelected } from './changing.ts';
import type { PeopleList } from './list.ts';
import { totalText } from './status.tsx';
import { ValueField } from './value-field.tsx';
import { sizeOf } from './walk.ts';

/** Adds a tag to everybody who is selected, or removes one that some of them have. */
export function TagDialog({ list, onClose }: { list: PeopleList; onClose: () => void }) {
  const [text, setText] = useState('');
  const tag = text.trim().toLowerCase();
  const action = useAction(async (taken?: string) => {
    onClose();
    await tagSelected(list, taken ?? tag, taken === undefined);
  });
  const theirs = [
    ...new Set(
      [...list.rows.filter((one) => list.isSelected(one)), ...list.selected.values()].flatMap(({ tags }) => tags),
    ),
  ].toSorted();
  const isWrong = /[,;|]/.test(tag);
  return (
    <FormDialog
      title={`Tags of ${totalText(sizeOf(list))}`}
      action={action}
      verb="Add the tag"
      isReady={tag !== '' && !isWrong && tag.length <= 40}
      onClose={onClose}
    >
      <ValueField
        label="Add a tag"
        field="tags"
        chatbotId=""
        value={text}
        onValue={setText}
        error={isWrong ? 'must not contain a comma, a semicolon or a bar (|)' : undefined}
      />
      {theirs.length > 0 && (
        <div class="field">
          <span id="tags-to-take">Remove a tag</span>
          <div class="row" role="group" aria-labelledby="tags-to-take">
            {theirs.map((one) => (
              <Button key={one} isSmall icon="close" onClick={() => void action.run(one)}>
                {one}
              </Button>
            ))}
          </div>
        </div>
      )}
    </FormDialog>
  );
}

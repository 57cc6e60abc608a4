import { useState } from 'preact/hooks';

import { FormDialog } from '../../ui/form.tsx';
import { useAction } from '../../use-action.ts';
import { editSelected } from './changing.ts';
import type { PeopleList } from './list.ts';
import { ValueField } from './value-field.tsx';
import { totalText } from './view.ts';

/** Adds a tag to everybody who is selected, or removes one that some of them have. */
export function TagDialog({ list, onClose }: { list: PeopleList; onClose: () => void }) {
  const [text, setText] = useState('');
  const [taken, take] = useState<string>();
  const tag = taken ?? text.trim().toLowerCase();
  const isAdded = taken === undefined;
  const whom = totalText(list.size);
  const action = useAction(async () => {
    onClose();
    await editSelected(list, {
      propertiesOf: ({ tags }) =>
        tags.includes(tag) === isAdded ? undefined : { tags: { [isAdded ? 'add' : 'remove']: [tag] } },
      deed: isAdded ? `Added the tag “${tag}” to` : `Removed the tag “${tag}” from`,
    });
  });
  const theirs = [
    ...new Set(
      [...list.rows.filter((one) => list.isSelected(one)), ...list.selected.values()].flatMap(({ tags }) => tags),
    ),
  ].toSorted();
  const isWrong = /[,;|]/.test(tag);
  return (
    <FormDialog
      title={`Tags of ${whom}`}
      action={action}
      verb={isAdded ? 'Add the tag' : `Remove ${taken} from ${whom}`}
      kind={isAdded ? 'primary' : 'danger'}
      isReady={tag !== '' && !isWrong && tag.length <= 40}
      onClose={onClose}
    >
      <ValueField
        label="Add a tag"
        field="tags"
        value={text}
        onValue={(next) => {
          setText(next);
          take(undefined);
        }}
        error={isWrong ? 'must not contain a comma, a semicolon or a bar (|)' : undefined}
      />
      {theirs.length > 0 && (
        <div class="field">
          <span id="tags-to-take">Remove a tag</span>
          <div class="row" role="group" aria-labelledby="tags-to-take">
            {theirs.map((one) => (
              <button
                key={one}
                type="button"
                class={one === taken ? 'chip is-on' : 'chip'}
                aria-pressed={one === taken}
                onClick={() => take(one === taken ? undefined : one)}
              >
                {one}
              </button>
            ))}
          </div>
        </div>
      )}
    </FormDialog>
  );
}

import { collection, connect, machine } from '@zag-js/combobox';
import { normalizeProps, useMachine } from '@zag-js/preact';
import type { InputHTMLAttributes } from 'preact';
import { useId, useLayoutEffect, useMemo } from 'preact/hooks';

import type { Option } from './combobox.tsx';
import type { Tied } from './field.tsx';
import { Icon } from './icon.tsx';

interface SuggestingProps {
  tied: Tied;
  /** What it held at first. */
  given: string;
  text: string;
  value: string;
  options: readonly Option[];
  isFree: boolean;
  isLoading: boolean;
  /** The plain field before it had the focus. */
  takesFocus: boolean;
  placeholder: string | undefined;
  onType: (text: string) => void;
  onChoose: (value: string) => void;
  onLeave: () => void;
}

/** The input of a combobox and its list. Zag holds the keyboard, the focus and the place of the list. */
export function Suggesting({ tied, text, value, options, isFree, ...rest }: SuggestingProps) {
  const id = useId();
  const items = useMemo(
    () => collection({ items: options, itemToValue: (one) => one.value, itemToString: (one) => one.label }),
    [options],
  );
  const service = useMachine(machine, {
    id,
    ids: { input: tied.id, label: `${tied.id}-label` },
    collection: items,
    value: items.has(value) ? [value] : [],
    inputValue: text,
    allowCustomValue: isFree,
    openOnClick: true,
    // It would take Escape even where no list shows.
    disableLayer: true,
    // The text is held outside of it.
    selectionBehavior: 'preserve',
    inputBehavior: isFree ? 'none' : 'autohighlight',
    positioning: { strategy: 'fixed', placement: 'bottom-start', sameWidth: true, gutter: 4 },
    onSelect: ({ itemValue }) => rest.onChoose(itemValue),
  });
  const api = connect(service, normalizeProps);
  useLayoutEffect(() => {
    if (rest.takesFocus) document.getElementById(tied.id)?.focus();
  }, []);
  // The types of Preact want a role and a kind of input that belong together.
  const { onKeyDown, onInput, ...input } = api.getInputProps() as InputHTMLAttributes;
  const leave = () => {
    api.setOpen(false);
    rest.onLeave();
  };
  const leaveIfOutside = ({ currentTarget, relatedTarget }: FocusEvent) => {
    if (!(currentTarget as Element).contains(relatedTarget as Node | null)) leave();
  };
  // Zag closes an empty list.
  const note = options.length === 0 && api.focused && text !== '' ? noteFor(rest.isLoading, isFree) : undefined;
  const isShown = note !== undefined || (api.open && options.length > 0);
  return (
    <div {...api.getControlProps()} class="combobox" dir={undefined} onFocusOut={leaveIfOutside}>
      <input
        {...input}
        {...tied}
        class="input"
        dir="auto"
        placeholder={rest.placeholder}
        value={text}
        defaultValue={undefined}
        data-given={rest.given}
        onInput={(event) => {
          onInput?.(event);
          rest.onType(event.currentTarget.value);
        }}
        onKeyDown={(event) => {
          const isTaken = isShown && items.has(api.highlightedValue);
          if (event.key === 'Enter' && note !== undefined) event.preventDefault();
          // Nothing of the list is meant: Enter is left to the form.
          else if (event.key === 'Enter' && isFree && !isTaken) return;
          // Escape closes the list, and where none is open, the dialog.
          else if (event.key !== 'Escape') onKeyDown?.(event);
          else if (isShown) {
            event.stopPropagation();
            event.preventDefault();
            leave();
          }
        }}
      />
      <button {...api.getTriggerProps()} class="combobox-open" aria-label="Show the list" dir={undefined}>
        <Icon name="down" />
      </button>
      <div {...api.getPositionerProps()} dir={undefined}>
        <div class="combobox-list" hidden={!isShown}>
          <ul {...api.getContentProps()} dir={undefined}>
            {options.map((option) => (
              <li key={option.value} {...api.getItemProps({ item: option })} class="combobox-option spread" dir="auto">
                <span>{option.label}</span>
                {option.about !== undefined && <span class="soft small">{option.about}</span>}
              </li>
            ))}
          </ul>
          {note !== undefined && (
            <p class="combobox-note soft" role="status">
              {note}
            </p>
          )}
        </div>
      </div>
    </div>
  );
}

function noteFor(isLoading: boolean, isFree: boolean): string | undefined {
  if (isLoading) return 'Loading…';
  return isFree ? undefined : 'No match';
}

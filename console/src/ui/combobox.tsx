import { useEffect, useRef, useState } from 'preact/hooks';

import { type Described, Field } from './field.tsx';
import type { Suggesting as SuggestingInput } from './suggesting.tsx';

export interface Option {
  value: string;
  label: string;
  /** Beside the label, less prominent. */
  about?: string;
}

interface ComboboxProps extends Described {
  /** The value of an option, or any text if it is free; empty if nothing is chosen. */
  value: string;
  onValue: (value: string) => void;
  /** An option was chosen: more than a text that is typed. */
  onChoose?: ((value: string) => void) | undefined;
  options: readonly Option[];
  /** Any text is a value; the options are suggestions. */
  isFree?: boolean;
  /** What is typed, if the caller searches. Otherwise the options are searched here. */
  onText?: (text: string) => void;
  isLoading?: boolean;
  placeholder?: string | undefined;
}

type Script = { Suggesting: typeof SuggestingInput };

let loaded: Script['Suggesting'] | undefined;

/** A field with suggestions. Their script loads when the first such field is shown; until then it is a plain field. */
export function Combobox({
  label,
  hint,
  error,
  value,
  onValue,
  onChoose,
  options,
  isFree = false,
  onText,
  isLoading = false,
  placeholder,
}: ComboboxProps) {
  const [Suggesting, setSuggesting] = useState(() => loaded);
  const [typed, setTyped] = useState<string>();
  const chosen = useRef<Option>(undefined);
  const hadFocus = useRef(false);
  const plain = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (Suggesting) return;
    const take = (script: Script) => {
      ({ Suggesting: loaded } = script);
      hadFocus.current = document.activeElement === plain.current;
      setSuggesting(() => loaded);
    };
    // Without its script it stays a plain field.
    import('./suggesting.tsx').then(take, () => undefined);
  }, []);

  const known = [...options, ...(chosen.current ? [chosen.current] : [])].find((one) => one.value === value);
  const text = isFree ? value : (typed ?? known?.label ?? '');
  const [given] = useState(text);
  const type = (next: string) => {
    setTyped(next);
    if (isFree || next === '') onValue(next);
    onText?.(next);
  };
  const choose = (next: string) => {
    chosen.current = options.find((one) => one.value === next);
    setTyped(undefined);
    onValue(next);
    onChoose?.(next);
  };
  const matching = onText || typed === undefined ? options : options.filter((option) => isFound(option, typed));
  return (
    <Field label={label} hint={hint} error={error}>
      {(tied) =>
        Suggesting ? (
          <Suggesting
            tied={tied}
            given={given}
            text={text}
            value={value}
            options={matching}
            isFree={isFree}
            isLoading={isLoading}
            takesFocus={hadFocus.current}
            placeholder={placeholder}
            onType={type}
            onChoose={choose}
            onLeave={() => setTyped(undefined)}
          />
        ) : (
          <input
            {...tied}
            ref={plain}
            class="input"
            dir="auto"
            autocomplete="off"
            placeholder={placeholder}
            value={text}
            onInput={(event) => type(event.currentTarget.value)}
          />
        )
      }
    </Field>
  );
}

function isFound({ label, about = '' }: Option, typed: string): boolean {
  return folded(`${label} ${about}`).includes(folded(typed));
}

/** Without accents and case. */
function folded(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().trim();
}

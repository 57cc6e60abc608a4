import type { ComponentChildren, InputHTMLAttributes } from 'preact';
import { useId } from 'preact/hooks';

interface Described {
  label: ComponentChildren;
  hint?: ComponentChildren;
  error?: string | undefined;
}

/** Attributes that link a control to its label, hint and error. */
interface Tied {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': 'true' | undefined;
}

export function Field({ label, hint, error, children }: Described & { children: (tied: Tied) => ComponentChildren }) {
  const id = useId();
  const described = [hint === undefined ? '' : `${id}-hint`, error === undefined ? '' : `${id}-error`];
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({
        id,
        'aria-describedby': described.filter(Boolean).join(' ') || undefined,
        'aria-invalid': error === undefined ? undefined : 'true',
      })}
      {hint !== undefined && (
        <p class="field-hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      <FieldError id={`${id}-error`} error={error} />
    </div>
  );
}

function FieldError({ id, error }: { id: string; error: string | undefined }) {
  if (error === undefined) return null;
  return (
    <p class="field-error" id={id}>
      {sentence(error)}
    </p>
  );
}

interface TextProps extends Described {
  value: string;
  onValue: (value: string) => void;
  type?: 'text' | 'email' | 'tel' | 'url' | undefined;
  placeholder?: string;
  autocomplete?: string;
  maxLength?: number;
  required?: boolean;
  autoFocus?: boolean;
}

export function TextField({ label, hint, error, value, onValue, type = 'text', ...rest }: TextProps) {
  // The types of Preact want a kind of input that is known when it is written.
  const given = { autocomplete: 'off', ...rest, type } as InputHTMLAttributes;
  return (
    <Field label={label} hint={hint} error={error}>
      {(tied) => (
        <input
          {...given}
          {...tied}
          class="input"
          dir="auto"
          value={value}
          onInput={(event) => onValue(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

export type Choice = readonly [value: string, label: string];

interface SelectProps extends Described {
  value: string;
  onValue: (value: string) => void;
  choices: readonly Choice[];
}

export function SelectField({ label, hint, error, value, onValue, choices }: SelectProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(tied) => (
        <select {...tied} class="input" value={value} onChange={(event) => onValue(event.currentTarget.value)}>
          {choices.map(([choice, text]) => (
            <option key={choice} value={choice}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

interface ChecksProps {
  label: string;
  hint?: string;
  error?: string | undefined;
  choices: readonly (readonly [value: string, label: string, hint?: string])[];
  chosen: readonly string[];
  onChosen: (chosen: string[]) => void;
}

/** Several of a list. */
export function Checks({ label, hint, error, choices, chosen, onChosen }: ChecksProps) {
  const id = useId();
  const toggle = (value: string, isOn: boolean) =>
    onChosen(choices.map(([one]) => one).filter((one) => (one === value ? isOn : chosen.includes(one))));
  return (
    <fieldset class="field checks" aria-describedby={error === undefined ? undefined : `${id}-error`}>
      <legend>{label}</legend>
      {hint !== undefined && <p class="field-hint">{hint}</p>}
      {choices.map(([value, text, about]) => (
        <label class="check" key={value}>
          <input
            type="checkbox"
            checked={chosen.includes(value)}
            onChange={(event) => toggle(value, event.currentTarget.checked)}
          />
          <span>
            {text}
            {about !== undefined && <span class="check-hint">{about}</span>}
          </span>
        </label>
      ))}
      <FieldError id={`${id}-error`} error={error} />
    </fieldset>
  );
}

/** The sentences of the API about a field begin with a small letter. */
export function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

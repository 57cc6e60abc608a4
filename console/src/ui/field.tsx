import type { ComponentChildren, InputHTMLAttributes } from 'preact';
import { useId } from 'preact/hooks';

export interface Described {
  label: ComponentChildren;
  hint?: ComponentChildren;
  error?: string | undefined;
}

/** Attributes that link a control to its label, hint and error. */
export interface Tied {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': 'true' | undefined;
}

export function Field({ label, hint, error, children }: Described & { children: (tied: Tied) => ComponentChildren }) {
  const id = useId();
  const described = [hint === undefined ? '' : `${id}-hint`, error === undefined ? '' : `${id}-error`];
  return (
    <div class="field">
      <label id={`${id}-label`} for={id}>
        {label}
      </label>
      {children({
        id,
        'aria-describedby': described.filter(Boolean).join(' ') || undefined,
        'aria-invalid': error === undefined ? undefined : 'true',
      })}
      {hint !== undefined && (
        <p class="soft small" id={`${id}-hint`}>
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
    <p class="danger small" id={id}>
      {sentence(error)}
    </p>
  );
}

interface TextProps extends Described {
  value: string;
  onValue: (value: string) => void;
  type?: 'text' | 'email' | 'tel' | 'url' | 'date' | 'datetime-local' | undefined;
  inputMode?: 'email' | 'tel' | 'url' | undefined;
  placeholder?: string;
  autocomplete?: string;
  maxLength?: number;
  max?: string;
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

export type Choice<Value extends string = string> = readonly [value: Value, label: string];

interface SelectProps<Value extends string> extends Described {
  value: Value;
  onValue: (value: Value) => void;
  /** The label of each value; a list where a value may look like a number, which would come first. */
  choices: Readonly<Record<Value, string>> | readonly Choice<Value>[];
}

export function SelectField<Value extends string>({ label, hint, error, value, onValue, choices }: SelectProps<Value>) {
  const all = (Array.isArray(choices) ? choices : Object.entries(choices)) as readonly Choice[];
  return (
    <Field label={label} hint={hint} error={error}>
      {(tied) => (
        <select {...tied} class="input" value={value} onChange={(event) => onValue(event.currentTarget.value as Value)}>
          {all.map(([choice, text]) => (
            <option key={choice} value={choice}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

interface ChecksProps<Value extends string> extends Described {
  choices: readonly (readonly [value: Value, label: ComponentChildren, hint?: ComponentChildren])[];
  value: readonly Value[];
  onValue: (value: Value[]) => void;
}

/** Several of a list. */
export function Checks<Value extends string>({ label, hint, error, choices, value, onValue }: ChecksProps<Value>) {
  const id = useId();
  const toggle = (toggled: Value, isOn: boolean) =>
    onValue(choices.map(([one]) => one).filter((one) => (one === toggled ? isOn : value.includes(one))));
  return (
    <fieldset class="field checks" aria-describedby={error === undefined ? undefined : `${id}-error`}>
      <legend>{label}</legend>
      {hint !== undefined && <p class="soft small">{hint}</p>}
      {choices.map(([one, text, about]) => (
        <Check key={one} label={text} hint={about} isOn={value.includes(one)} onChange={(isOn) => toggle(one, isOn)} />
      ))}
      <FieldError id={`${id}-error`} error={error} />
    </fieldset>
  );
}

interface CheckProps {
  label: ComponentChildren;
  hint?: ComponentChildren;
  isOn: boolean;
  onChange: (isOn: boolean) => void;
}

export function Check({ label, hint, isOn, onChange }: CheckProps) {
  return (
    <label class="check">
      <input type="checkbox" checked={isOn} onChange={(event) => onChange(event.currentTarget.checked)} />
      <span>
        {label}
        {hint !== undefined && <span class="soft small">{hint}</span>}
      </span>
    </label>
  );
}

/** The sentences of the API about a field begin with a small letter. */
export function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

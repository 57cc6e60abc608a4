import { useEffect, useId, useRef, useState } from 'preact/hooks';

import { Button, IconButton } from './button.tsx';
import { toast } from './toast.tsx';

const shownMs = 2_000;

/** Without HTTPS there is no clipboard: then the text has to be selected by hand. */
function useCopy(text: string) {
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle');
  useEffect(() => {
    if (state === 'idle') return;
    const timer = setTimeout(() => setState('idle'), shownMs);
    return () => clearTimeout(timer);
  }, [state]);
  const write = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setState('copied');
    } catch {
      setState('failed');
      toast('Your browser does not allow copying here');
    }
  };
  return { state, copy: () => void write() };
}

export function CopyButton({ text, label = 'Copy', isIcon }: { text: string; label?: string; isIcon?: boolean }) {
  const { state, copy } = useCopy(text);
  const icon = state === 'copied' ? 'check' : 'copy';
  return (
    <>
      {isIcon === true ? (
        <IconButton icon={icon} label={label} onClick={copy} />
      ) : (
        <Button icon={icon} onClick={copy}>
          {{ idle: label, copied: 'Copied', failed: 'Copy by hand' }[state]}
        </Button>
      )}
      <span class="visually-hidden" role="status">
        {state === 'copied' && 'Copied'}
        {state === 'failed' && 'Your browser does not allow copying here. Select the text and copy it.'}
      </span>
    </>
  );
}

interface SecretProps {
  label: string;
  text: string;
  hint?: string;
  /** Where it takes the place of the button that made it. */
  takesFocus?: boolean;
}

/** A text that is shown once, such as a link or a key. */
export function Secret({ label, text, hint, takesFocus }: SecretProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (takesFocus === true) input.current?.focus();
  }, [text, takesFocus]);
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <div class="secret">
        <input
          ref={input}
          id={id}
          class="input mono"
          readonly
          value={text}
          aria-describedby={hint === undefined ? undefined : `${id}-hint`}
          onFocus={(event) => event.currentTarget.select()}
        />
        <CopyButton text={text} />
      </div>
      {hint !== undefined && (
        <p class="field-hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

import { useEffect, useId, useState } from 'preact/hooks';

import { Button } from './button.tsx';

const shownMs = 2_000;

export function CopyButton({ text, label = 'Copy', isSmall }: { text: string; label?: string; isSmall?: boolean }) {
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle');
  useEffect(() => {
    if (state === 'idle') return;
    const timer = setTimeout(() => setState('idle'), shownMs);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = () => navigator.clipboard.writeText(text).then(() => setState('copied'));
  return (
    <>
      <Button
        icon={state === 'copied' ? 'check' : 'copy'}
        isSmall={isSmall ?? false}
        // Without HTTPS there is no clipboard: the text can be selected.
        onClick={() => void copy().catch(() => setState('failed'))}
      >
        {state === 'copied' ? 'Copied' : label}
      </Button>
      <span class="visually-hidden" role="status">
        {state === 'copied' && 'Copied'}
        {state === 'failed' && 'Your browser does not allow copying here. Select the text and copy it.'}
      </span>
    </>
  );
}

/** A text that is shown once, such as a link or a key. */
export function Secret({ label, text, hint }: { label: string; text: string; hint?: string }) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <div class="secret">
        <input
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

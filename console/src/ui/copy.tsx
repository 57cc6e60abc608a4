import { useEffect, useRef, useState } from 'preact/hooks';

import { Button, IconButton } from './button.tsx';
import { Field } from './field.tsx';
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

/** A text that is shown once, such as a link or a key, in the place of the button that made it. */
export function Secret({ label, text, hint }: { label: string; text: string; hint: string }) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), [text]);
  return (
    <Field label={label} hint={hint}>
      {(tied) => (
        <div class="secret">
          <input
            {...tied}
            ref={input}
            class="input mono"
            readonly
            value={text}
            onFocus={(event) => event.currentTarget.select()}
          />
          <CopyButton text={text} />
        </div>
      )}
    </Field>
  );
}

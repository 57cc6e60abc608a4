import { useId, useState } from 'preact/hooks';

import { Code } from './code.tsx';
import { Icon } from './icon.tsx';

const name = 'The same on the command line';

/** The same by a program, behind one button: in the head of a page or a dialog, and nowhere else. */
export function CodeButton({ code }: { code: string }) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" class="button button-icon code-button" aria-label={name} title={name} popovertarget={id}>
        <Icon name="code" />
      </button>
      <div
        id={id}
        popover="auto"
        role="dialog"
        aria-label={name}
        class="menu code-place"
        onBeforeToggle={(event) => setOpen(event.newState === 'open')}
      >
        {isOpen && (
          <div class="prose">
            <h3>{name}</h3>
            <Code code={code} />
          </div>
        )}
      </div>
    </>
  );
}

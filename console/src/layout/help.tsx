import { useState } from 'preact/hooks';

import { Dialog } from '../ui/dialog.tsx';
import { Check } from '../ui/field.tsx';
import { areShortcutsOn, shortcutsNow, switchShortcuts } from '../ui/keys.ts';

const names: Record<string, string> = { ArrowDown: '↓', ArrowUp: '↑', Enter: 'Enter', ' ': 'Space' };

/** The shortcuts of the screen below, and the switch for all of them. */
export function Help({ onClose }: { onClose: () => void }) {
  const [isOn, setOn] = useState(areShortcutsOn);
  const toggle = (next: boolean) => {
    switchShortcuts(next);
    setOn(next);
  };
  return (
    <Dialog title="Shortcuts" onClose={onClose}>
      <ul class="shortcuts">
        {shortcutsNow().map(({ keys, label }) => (
          <li key={keys} class="spread">
            {label}
            <span class="row tight">
              {keys.split(' ').map((key) => (
                <kbd key={key}>{names[key] ?? key}</kbd>
              ))}
            </span>
          </li>
        ))}
      </ul>
      <Check
        label="Use shortcuts"
        hint="When this is off, single letters do nothing outside the list. Tab and Enter still work."
        isOn={isOn}
        onChange={toggle}
      />
    </Dialog>
  );
}

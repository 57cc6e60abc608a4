import { useState } from 'preact/hooks';

import { Dialog } from '../ui/dialog.tsx';
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
      <dl class="shortcuts">
        {shortcutsNow().map(({ keys, label }) => (
          <div key={keys}>
            <dt>{label}</dt>
            <dd>
              {keys.split(' ').map((key) => (
                <kbd key={key}>{names[key] ?? key}</kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
      <label class="check">
        <input type="checkbox" checked={isOn} onChange={(event) => toggle(event.currentTarget.checked)} />
        <span>
          Use shortcuts
          <span class="check-hint">Off, letters do nothing by themselves. Tab, Enter and Escape always work.</span>
        </span>
      </label>
    </Dialog>
  );
}

import { useState } from 'preact/hooks';

import { areShortcutsOn, switchShortcuts } from './keys.ts';

export function ShortcutSwitch() {
  const [isOn, setOn] = useState(areShortcutsOn);
  const toggle = (next: boolean) => {
    switchShortcuts(next);
    setOn(next);
  };
  return (
    <label class="check">
      <input type="checkbox" checked={isOn} onChange={(event) => toggle(event.currentTarget.checked)} />
      <span>
        Use shortcuts
        <span class="check-hint">
          When this is off, single letters do nothing outside the list. Tab and Enter still work.
        </span>
      </span>
    </label>
  );
}

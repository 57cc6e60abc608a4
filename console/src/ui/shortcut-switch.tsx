import { useState } from 'preact/hooks';

import { Check } from './field.tsx';
import { areShortcutsOn, switchShortcuts } from './keys.ts';

export function ShortcutSwitch() {
  const [isOn, setOn] = useState(areShortcutsOn);
  const toggle = (next: boolean) => {
    switchShortcuts(next);
    setOn(next);
  };
  return (
    <Check
      label="Use shortcuts"
      hint="When this is off, single letters do nothing outside the list. Tab and Enter still work."
      isOn={isOn}
      onChange={toggle}
    />
  );
}

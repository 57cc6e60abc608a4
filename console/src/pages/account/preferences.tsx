import { useState } from 'preact/hooks';

import { chosenTheme, chooseTheme, themes } from '../../theme.ts';
import { Card } from '../../ui/card.tsx';
import { SelectField } from '../../ui/field.tsx';
import { ShortcutSwitch } from '../../ui/shortcut-switch.tsx';

/** Preferences of this browser only: they are kept in it. */
export function Preferences() {
  const [theme, setTheme] = useState(chosenTheme);
  const choose = (next: string) => {
    chooseTheme(next);
    setTheme(next);
  };
  return (
    <Card title="This browser">
      <div class="narrow">
        <SelectField label="Colours" value={theme} onValue={choose} choices={themes} />
      </div>
      <ShortcutSwitch />
    </Card>
  );
}

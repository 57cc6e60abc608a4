import { useId, useState } from 'preact/hooks';

import { chosenTheme, chooseTheme, themes } from '../theme.ts';
import { Icon, type IconName } from '../ui/icon.tsx';

const icons = { light: 'sun', dark: 'moon', system: 'device' } satisfies Record<string, IconName>;

/** The colours of this browser. */
export function ThemeChoice() {
  const id = useId();
  const [theme, setTheme] = useState(chosenTheme);
  const choose = (next: string) => {
    chooseTheme(next);
    setTheme(next);
  };
  return (
    <fieldset class="theme-choice" aria-label="Theme">
      {themes.map(([value, label]) => (
        <label key={value} title={label}>
          <input
            type="radio"
            name={id}
            class="visually-hidden"
            aria-label={label}
            checked={theme === value}
            onChange={() => choose(value)}
          />
          <Icon name={icons[value]} />
        </label>
      ))}
    </fieldset>
  );
}

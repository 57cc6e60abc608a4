const key = 'roster.theme';

export const themes = { system: 'As the device', light: 'Light', dark: 'Dark' };

export function chosenTheme(): string {
  return localStorage.getItem(key) ?? 'system';
}

export function chooseTheme(theme: string): void {
  if (theme === 'system') localStorage.removeItem(key);
  else localStorage.setItem(key, theme);
  applyTheme();
}

/** Every colour follows `color-scheme`. */
export function applyTheme(): void {
  const theme = chosenTheme();
  document.documentElement.style.colorScheme = theme === 'system' ? '' : theme;
}

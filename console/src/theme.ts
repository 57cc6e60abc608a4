const key = 'roster.theme';

export const themes = [
  ['light', 'Light'],
  ['dark', 'Dark'],
  ['system', 'System'],
] as const;

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

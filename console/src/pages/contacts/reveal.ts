import { useCallback, useState } from 'preact/hooks';

const key = 'roster.addresses';

export function forgetRevealed(): void {
  sessionStorage.removeItem(key);
}

/** Whether addresses are shown in lists; remembered for the tab, and no longer. */
export function useRevealed(): [boolean, (isRevealed: boolean) => void] {
  const [isRevealed, set] = useState(() => sessionStorage.getItem(key) === 'shown');
  const reveal = useCallback((next: boolean) => {
    if (next) sessionStorage.setItem(key, 'shown');
    else sessionStorage.removeItem(key);
    set(next);
  }, []);
  return [isRevealed, reveal];
}

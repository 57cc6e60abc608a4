import { useLayoutEffect, useRef } from 'preact/hooks';

export interface Shortcut {
  /** The value of `event.key`: `/`, `e`, `ArrowDown`; two after the other: `g c`. */
  keys: string;
  /** For the list of shortcuts. */
  label: string;
  run: (event: KeyboardEvent) => void;
}

const switchKey = 'roster.shortcuts';
const sequenceMs = 1_500;
const active = new Set<{ current: readonly Shortcut[] }>();

let earlier = '';
let earlierAt = 0;

/** The shortcuts of a screen, for as long as it is shown. They are silent while somebody types or a dialog is open. */
export function useKeys(shortcuts: readonly Shortcut[]): void {
  const latest = useRef(shortcuts);
  latest.current = shortcuts;
  useLayoutEffect(() => {
    if (active.size === 0) addEventListener('keydown', onKeyDown);
    active.add(latest);
    return () => {
      active.delete(latest);
      if (active.size === 0) removeEventListener('keydown', onKeyDown);
    };
  }, []);
}

/** All that work at the moment, those of the screen last. */
export function shortcutsNow(): Shortcut[] {
  return [...active].flatMap(({ current }) => current);
}

export function areShortcutsOn(): boolean {
  return localStorage.getItem(switchKey) !== 'off';
}

export function switchShortcuts(isOn: boolean): void {
  if (isOn) localStorage.removeItem(switchKey);
  else localStorage.setItem(switchKey, 'off');
}

function onKeyDown(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (!areShortcutsOn() || isTyping(event.target) || document.querySelector('dialog[open], :popover-open')) return;
  const pair = Date.now() - earlierAt < sequenceMs ? `${earlier} ${event.key}` : '';
  earlier = event.key;
  earlierAt = Date.now();
  const all = [...active].toReversed().flatMap(({ current }) => current);
  const found = all.find(({ keys }) => keys === pair) ?? all.find(({ keys }) => keys === event.key);
  if (!found) return;
  earlier = '';
  event.preventDefault();
  found.run(event);
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || target.matches('textarea, select, input:not([type=checkbox], [type=radio])');
}

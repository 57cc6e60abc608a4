import { useLocation } from 'preact-iso';
import { useEffect, useState } from 'preact/hooks';

import { Observed, useObserved } from '../observed.ts';
import { Button, IconButton } from './button.tsx';

interface ToastInput {
  text: string;
  /** For what can be undone. */
  action?: { label: string; run: () => void };
  /** It stays as long as the page, unless it is dismissed. */
  isLasting?: boolean;
}

interface Shown extends ToastInput {
  id: number;
}

let last = 0;
let shown: readonly Shown[] = [];
const changes = new Observed();

/** Tells of something that has happened. It goes by itself, unless the pointer or the focus is on it. */
export function toast(input: ToastInput | string): void {
  last += 1;
  const one = typeof input === 'string' ? { text: input } : input;
  replace([...shown.slice(-2), { ...one, id: last }]);
}

function replace(next: readonly Shown[]): void {
  shown = next;
  changes.tell();
}

/** Removes all toasts: the next person may not see them. */
export function clearToasts(): void {
  replace([]);
}

const dismiss = (id: number) => replace(shown.filter((one) => one.id !== id));

/** The place where toasts appear; once in a page. */
export function Toasts() {
  useObserved(changes);
  const { path } = useLocation();
  useEffect(() => replace(shown.map((one) => ({ ...one, isLasting: false }))), [path]);
  return (
    <div class="toasts" role="status" aria-live="polite">
      {shown.map((one) => (
        <Toast key={one.id} {...one} />
      ))}
    </div>
  );
}

const shortMs = 5_000;
const withActionMs = 12_000;

function Toast({ id, text, action, isLasting = false }: Shown) {
  const [isHeld, setHeld] = useState(false);
  useEffect(() => {
    if (isHeld || isLasting) return;
    const timer = setTimeout(() => dismiss(id), action ? withActionMs : shortMs);
    return () => clearTimeout(timer);
  }, [id, isHeld, isLasting, action]);
  const act = () => {
    dismiss(id);
    action?.run();
  };
  return (
    <div
      class="toast"
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={() => setHeld(false)}
      onFocusCapture={() => setHeld(true)}
      onBlurCapture={() => setHeld(false)}
    >
      <span>{text}</span>
      {action && (
        <Button kind="quiet" isSmall onClick={act}>
          {action.label}
        </Button>
      )}
      <IconButton icon="close" label="Dismiss" onClick={() => dismiss(id)} />
    </div>
  );
}

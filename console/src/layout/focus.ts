import { useEffect, useRef } from 'preact/hooks';

let isWaiting = false;

/** After a change of the screen: screen readers and the keyboard begin at its heading. */
export function focusHeading(): void {
  const heading = document.querySelector<HTMLElement>('main h1');
  isWaiting = heading === null;
  heading?.focus({ preventScroll: true });
}

/** Whether a heading that comes late is waited for. It is asked once. */
export function takeFocus(): boolean {
  const wasWaiting = isWaiting;
  isWaiting = false;
  return wasWaiting;
}

/** Where the focus was in a row that is gone, the heading of the page gets it. `count` is of the rows. */
export function useFocusAfterRemoval(count = 0): void {
  const before = useRef(count);
  useEffect(() => {
    if (count < before.current && document.activeElement === document.body) focusHeading();
    before.current = count;
  }, [count]);
}

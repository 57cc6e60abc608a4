import type { RefObject } from 'preact';
import { useCallback, useLayoutEffect, useState } from 'preact/hooks';

/** Rows above and below what can be seen, so that a fast scroll meets no gap. */
const rowsBeyond = 40;
/** The window moves by so many rows at once. */
const step = 10;

export interface RowWindow {
  rowHeight: number;
  first: number;
  /** The row after the last. */
  end: number;
  onScroll: (top: number) => void;
}

/** Which rows are worth being in the page, by what the box shows; its style has the height of a row in rem. */
export function useWindow(box: RefObject<HTMLElement | null>, scrollTop: number): RowWindow {
  const [{ rowHeight, height }, setSize] = useState({ rowHeight: 44, height: 800 });
  const [from, setFrom] = useState(0);
  const stepHeight = rowHeight * step;
  const onScroll = useCallback((top: number) => setFrom(Math.floor(top / stepHeight) * step), [stepHeight]);

  useLayoutEffect(() => {
    const { current: element } = box;
    const observer = new ResizeObserver(() => {
      // A page that is not shown has no size.
      if (!element || element.clientHeight === 0) return;
      const row = getComputedStyle(element).getPropertyValue('--row');
      const { fontSize } = getComputedStyle(document.documentElement);
      setSize({ rowHeight: Number.parseFloat(row) * Number.parseFloat(fontSize), height: element.clientHeight });
    });
    if (element) observer.observe(element);
    return () => observer.disconnect();
  }, [box]);

  useLayoutEffect(() => onScroll(scrollTop), [onScroll, scrollTop]);

  const seen = Math.ceil(height / rowHeight) + step;
  return { rowHeight, first: Math.max(0, from - rowsBeyond), end: from + seen + rowsBeyond, onScroll };
}

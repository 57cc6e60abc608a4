import type { RefObject } from 'preact';
import { useCallback, useLayoutEffect, useState } from 'preact/hooks';

/** Rows above and below what can be seen, so that a fast scroll meets no gap. */
const rowsBeyond = 40;
/** The window moves by so many rows at once. */
const step = 10;

export interface RowWindow {
  rowHeight: number;
  /** Height of the scrolling box. */
  height: number;
  first: number;
  /** The row after the last. */
  end: number;
}

/** Which rows are worth being in the page, by what the box shows; the probe is as high as a row. */
export function useWindow(
  box: RefObject<HTMLElement | null>,
  probe: RefObject<HTMLElement | null>,
  scrollTop: number,
): RowWindow & { onScroll: (top: number) => void } {
  const [size, setSize] = useState({ rowHeight: 44, height: 800 });
  const [from, setFrom] = useState(0);
  const stepHeight = size.rowHeight * step;
  const onScroll = useCallback((top: number) => setFrom(Math.floor(top / stepHeight) * step), [stepHeight]);

  useLayoutEffect(() => {
    const measure = () => {
      const rowHeight = probe.current?.offsetHeight ?? 0;
      const height = box.current?.clientHeight ?? 0;
      // A page that is not shown has no size.
      if (rowHeight > 0 && height > 0) setSize({ rowHeight, height });
    };
    measure();
    const observer = new ResizeObserver(measure);
    if (box.current) observer.observe(box.current);
    if (probe.current) observer.observe(probe.current);
    return () => observer.disconnect();
  }, [box, probe]);

  useLayoutEffect(() => onScroll(scrollTop), [onScroll, scrollTop]);

  const seen = Math.ceil(size.height / size.rowHeight) + step;
  return { ...size, first: Math.max(0, from - rowsBeyond), end: from + seen + rowsBeyond, onScroll };
}

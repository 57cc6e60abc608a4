import { useCallback, useEffect, useRef, useState } from 'preact/hooks';

import { codeOf } from './api.ts';

export interface Loaded<Data> {
  data: Data | undefined;
  error: Error | undefined;
  isLoading: boolean;
  /** Loads again; what is shown stays until the answer comes. */
  reload: () => void;
  /** Shows a known outcome without a request. */
  set: (data: Data) => void;
}

const awayMs = 3_000;

/** Whether a retry may help soon. */
export function isAway(error: unknown): boolean {
  return ['unreachable', 'unavailable'].includes(codeOf(error) ?? '');
}

/** Loads at first, when `key` changes, and every few seconds while the server is unreachable. */
export function useLoad<Data>(load: (signal: AbortSignal) => Promise<Data>, key: string = ''): Loaded<Data> {
  const [state, setState] = useState<Pick<Loaded<Data>, 'data' | 'error' | 'isLoading'>>({
    data: undefined,
    error: undefined,
    isLoading: true,
  });
  const [round, setRound] = useState(0);
  const latest = useRef(load);
  latest.current = load;

  useEffect(() => {
    const stop = new AbortController();
    let again: ReturnType<typeof setTimeout> | undefined;
    setState(({ data, error }) => ({ data, error: isAway(error) ? error : undefined, isLoading: true }));
    latest.current(stop.signal).then(
      (data) => setState({ data, error: undefined, isLoading: false }),
      (error: unknown) => {
        if (stop.signal.aborted) return;
        setState(({ data }) => ({ data, error: asError(error), isLoading: false }));
        if (isAway(error)) again = setTimeout(() => setRound((count) => count + 1), awayMs);
      },
    );
    return () => {
      stop.abort();
      clearTimeout(again);
    };
  }, [key, round]);

  const reload = useCallback(() => setRound((count) => count + 1), []);
  const set = useCallback((data: Data) => setState({ data, error: undefined, isLoading: false }), []);
  return { ...state, reload, set };
}

export function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

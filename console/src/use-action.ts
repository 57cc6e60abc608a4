import { useCallback, useRef, useState } from 'preact/hooks';

import { codeOf, errorAbout } from './api.ts';

/** Thrown where somebody has changed their mind: nothing is to be said about it. */
export class Cancelled extends Error {
  override readonly name = 'Cancelled';
}

export type Action<Args extends unknown[]> = ReturnType<typeof useAction<Args>>;

export function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

let askForProof: (() => Promise<void>) | undefined;

/** How the page asks somebody to show again who they are; the promise rejects with `Cancelled` where they would not. */
export function onProofWanted(ask: typeof askForProof): void {
  askForProof = ask;
}

/**
 * A change that somebody asks for: one at a time, with what went wrong. Where Roster wants a fresh proof of who they are,
 * it asks for that and performs the change again.
 */
export function useAction<Args extends unknown[]>(perform: (...args: Args) => Promise<unknown>) {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<Error>();
  const isRunning = useRef(false);
  const latest = useRef(perform);
  latest.current = perform;

  const run = useCallback(async (...args: Args) => {
    if (isRunning.current) return;
    isRunning.current = true;
    setBusy(true);
    setError(undefined);
    try {
      await latest.current(...args).catch(async (refusal: unknown) => {
        if (codeOf(refusal) !== 'fresh_sign_in_required' || !askForProof) throw refusal;
        await askForProof();
        await latest.current(...args);
      });
    } catch (thrown) {
      if (!(thrown instanceof Cancelled)) setError(asError(thrown));
    } finally {
      isRunning.current = false;
      setBusy(false);
    }
  }, []);
  const clear = useCallback(() => setError(undefined), []);
  /** The sentence about a field, from the last answer. */
  const errorOf = (field: string) => errorAbout(error, (one) => one === field);
  /** The error, unless it is about one of these fields, which show it themselves. */
  const errorBesides = (...fields: string[]) =>
    fields.some((field) => errorOf(field) !== undefined) ? undefined : error;
  return { run, isBusy, error, errorOf, errorBesides, clear };
}

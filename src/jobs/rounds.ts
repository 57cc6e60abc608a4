import { AppError } from '../errors.ts';
import { rest } from './rest.ts';

export type JobLog = Readonly<Record<'info' | 'warn' | 'error', (fields: object, message: string) => void>>;

/** Each round returns the milliseconds until the next; after an error `onFailed` does. Disposal waits for the round. */
export function inRounds(
  firstMs: number,
  round: (signal: AbortSignal) => Promise<number>,
  onFailed: (error: unknown) => number,
): AsyncDisposable {
  const stopping = new AbortController();
  const { signal } = stopping;
  const running = (async () => {
    for (let wait = firstMs; await rest(wait, signal);) {
      try {
        wait = await round(signal);
      } catch (error) {
        if (signal.aborted) return;
        wait = onFailed(error);
      }
    }
  })();
  return {
    [Symbol.asyncDispose]: async () => {
      stopping.abort();
      await running;
    },
  };
}

/** Logs errors of rounds. While the store is away, it says so once. */
export function failureLog(log: Pick<JobLog, 'warn' | 'error'>, failed: string, waits: string) {
  let isAway = false;
  return {
    isBack: () => void (isAway = false),
    tell: (error: unknown) => {
      if (!(error instanceof AppError)) log.error({ err: error }, failed);
      else if (!isAway) log.warn({ code: error.code }, `${waits}: ${error.message}`);
      isAway = error instanceof AppError;
    },
  };
}

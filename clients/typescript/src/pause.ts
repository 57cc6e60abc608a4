const firstMs = 500;
const growingUpToMs = 8_000;

/** A random pause before the next attempt, so that many clients do not retry at once ("full jitter"). */
export function backoffMs(attempt: number): number {
  return Math.random() * Math.min(growingUpToMs, firstMs * 2 ** (attempt - 1));
}

/** Waits, or throws the signal's reason as soon as it is aborted. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', abort, { once: true });
  });
}

import { codeOf, RosterError } from './api.ts';

const triesMax = 20;
/** Retries for a call whose answer is lost. */
const lossesMax = 5;
const secondsMax = 120;

export interface Patience {
  signal?: AbortSignal | undefined;
  /** Gets the seconds that the server asks to wait, and undefined when it continues. */
  onWait?: ((seconds: number | undefined) => void) | undefined;
  /** Given where the call does no harm twice, so that it is made again when its answer is lost. */
  onLost?: (() => void) | undefined;
}

/** Calls again where the server asks to come later: too many requests in this minute, or busy. */
export async function patiently<Data>(call: () => Promise<Data>, patience: Patience = {}): Promise<Data> {
  const { signal, onWait, onLost } = patience;
  let losses = 0;
  for (let tries = 1; ; tries++) {
    try {
      return await call();
    } catch (error) {
      const isRepeatable = onLost !== undefined && isAnswerLost(error) && ++losses < lossesMax;
      const seconds = isRepeatable ? losses : waitFor(error);
      if (seconds === undefined || tries === triesMax) throw error;
      if (isRepeatable) onLost();
      onWait?.(seconds);
      await pause(seconds * 1000, signal);
      onWait?.(undefined);
    }
  }
}

function waitFor(error: unknown): number | undefined {
  if (!(error instanceof RosterError) || (error.status !== 429 && error.status !== 503)) return undefined;
  return Math.min(error.retryAfter ?? 5, secondsMax);
}

/** Whether nobody can tell what became of the call. */
export function isAnswerLost(error: unknown): boolean {
  return ['unreachable', 'outcome_unknown'].includes(codeOf(error) ?? '');
}

/** Throws the reason of the signal. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  const stop = () => {
    clearTimeout(timer);
    reject(signal?.reason as Error);
  };
  if (signal?.aborted === true) stop();
  signal?.addEventListener('abort', stop, { once: true });
  return promise.finally(() => signal?.removeEventListener('abort', stop));
}

/** Runs the work for each item, a few at a time, and goes on after a failure. Returns what failed. */
export async function forEachOf<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<unknown>,
  atOnce = 4,
): Promise<{ item: Item; error: unknown }[]> {
  const failed: { item: Item; error: unknown }[] = [];
  let next = 0;
  const worker = async () => {
    while (next < items.length) {
      const item = items[next++] as Item;
      try {
        await work(item);
      } catch (error) {
        failed.push({ item, error });
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker));
  return failed;
}

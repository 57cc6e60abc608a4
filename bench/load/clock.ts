import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

interface Beat {
  rate: number;
  /** Milliseconds since the epoch. */
  startAt: number;
}

/** Calls back at each beat with the time it was due. A timer of Node would be late by up to a millisecond. */
export function startClock(rate: number, onBeat: (at: number) => void): Disposable {
  if (rate === 0) return { [Symbol.dispose]: () => undefined };
  const startAt = performance.timeOrigin + performance.now();
  const worker = new Worker(new URL(import.meta.url), { workerData: { rate, startAt } satisfies Beat });
  worker.on('message', (at: number) => onBeat(at - performance.timeOrigin));
  return { [Symbol.dispose]: () => void worker.terminate() };
}

if (!isMainThread && parentPort) {
  const { rate, startAt } = workerData as Beat;
  const never = new Int32Array(new SharedArrayBuffer(4));
  for (let n = 1; ; n++) {
    const at = startAt + (n * 1_000) / rate;
    Atomics.wait(never, 0, 0, at - performance.timeOrigin - performance.now());
    parentPort.postMessage(at);
  }
}

import { vi } from 'vitest';

/** Runs `work` while the program's date is `time`; timers go on. */
export async function at<T>(time: Date, work: () => Promise<T>): Promise<T> {
  vi.useFakeTimers({ toFake: ['Date'], now: time });
  try {
    return await work();
  } finally {
    vi.useRealTimers();
  }
}

import type { Admission, Arrival } from './admission.ts';
import type { Limits } from './limits.ts';

interface TurnsOptions {
  /** Never rejects. */
  begin: (arrival: Arrival, version: number | undefined) => Promise<void>;
  version: () => number | undefined;
}

/** Begins requests: those of one turn of the event loop together, after one look at the data version. */
export function openTurns(admission: Admission, limits: Limits, { begin, version }: TurnsOptions) {
  let isScheduled = false;
  const beginSome = () => {
    if (admission.waiting() === 0) return;
    const current = versionOf(version);
    for (let begun = 0; begun < limits.begunTogetherMax; begun++) {
      const arrival = admission.next();
      if (!arrival) return;
      void begin(arrival, current);
    }
    schedule();
  };
  const onTurn = () => {
    isScheduled = false;
    beginSome();
  };
  const schedule = () => {
    if (!isScheduled) setImmediate(onTurn);
    isScheduled = true;
  };
  const isReadingLong = (now: number) =>
    admission.waiting() >= limits.readTogetherMax &&
    now - (admission.nextAt() ?? now) > limits.readTogetherMs;
  return (now: number): void => {
    schedule();
    if (isReadingLong(now)) process.nextTick(beginSome);
  };
}

function versionOf(version: () => number | undefined): number | undefined {
  try {
    return version();
  } catch {
    // The requests that need the store learn why it does not answer.
    return undefined;
  }
}

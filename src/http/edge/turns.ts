import type { Admission, Arrival } from './admission.ts';
import type { Limits } from './limits.ts';

interface TurnsOptions {
  /** Never rejects. */
  begin: (arrival: Arrival, version: number | undefined) => Promise<void>;
  version: () => number | undefined;
}

/** Begins requests: those of one turn of the event loop together, after one look at the data version. */
export function createTurns(admission: Admission, limits: Limits, { begin, version }: TurnsOptions) {
  let isScheduled = false;
  let hasVersion = false;
  const beginUntil = (endsAt: number, current: number | undefined) => {
    for (let begun = 0; begun < limits.begunTogetherMax; begun++) {
      const arrival = admission.next();
      if (!arrival) return;
      void begin(arrival, current);
    }
    // Answers that need not wait are given before more requests are begun.
    queueMicrotask(() => process.nextTick(goOn, endsAt, current));
  };
  const goOn = (endsAt: number, current: number | undefined) => {
    if (performance.now() < endsAt) beginUntil(endsAt, current);
    else schedule();
  };
  const beginSome = () => {
    if (admission.waiting() === 0) return;
    const current = versionOf(version);
    hasVersion = current !== undefined;
    beginUntil(performance.now() + limits.turnMs, current);
  };
  const onTurn = () => {
    isScheduled = false;
    beginSome();
  };
  const schedule = () => {
    if (!isScheduled) setImmediate(onTurn);
    isScheduled = true;
  };
  const isReadingLong = (now: number) => {
    if (admission.waiting() < limits.readTogetherMax) return false;
    return now - (admission.nextAt() ?? now) > (hasVersion ? limits.readTogetherMs : limits.readTogetherMsAtMost);
  };
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

import type { Admission, Arrival } from './admission.ts';
import type { Limits } from './limits.ts';

/** Begins requests once the sockets of this turn of the event loop are read, some at a time. `begin` never rejects. */
export function createTurns(admission: Admission, limits: Limits, begin: (arrival: Arrival) => Promise<void>) {
  let isScheduled = false;
  const beginUntil = (endsAt: number) => {
    for (let begun = 0; begun < limits.begunTogetherMax; begun++) {
      const arrival = admission.next();
      if (!arrival) return;
      void begin(arrival);
    }
    // Answers that need not wait are given before more requests are begun.
    queueMicrotask(() => process.nextTick(goOn, endsAt));
  };
  const goOn = (endsAt: number) => {
    if (performance.now() < endsAt) beginUntil(endsAt);
    else schedule();
  };
  const beginSome = () => beginUntil(performance.now() + limits.turnMs);
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
    return now - (admission.nextAt() ?? now) > limits.readTogetherMs;
  };
  return (now: number): void => {
    schedule();
    if (isReadingLong(now)) process.nextTick(beginSome);
  };
}

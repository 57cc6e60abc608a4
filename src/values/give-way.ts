/** For so long all long work together may hold a turn of the event loop; a step of it adds its own time. */
const turnMs = 10;

const waiting: (() => void)[] = [];
/** When this turn is long; undefined until long work has begun in it. */
let endsAt: number | undefined;

/**
 * To be asked and awaited between the steps of long work: once a turn of the event loop is long, requests and other work are
 * served before it goes on. Undefined while the turn is short.
 */
export function giveWay(): Promise<void> | undefined {
  const now = performance.now();
  if (endsAt === undefined) beginTurn(now);
  else if (now >= endsAt) return new Promise((resolve) => waiting.push(resolve));
  return undefined;
}

function beginTurn(now: number): void {
  endsAt = now + turnMs;
  setImmediate(() => {
    endsAt = undefined;
    if (waiting.length === 0) return;
    beginTurn(performance.now());
    goOn();
  });
}

/** Those who wait go on in their order, as many as the turn has time for. */
function goOn(): void {
  waiting.shift()?.();
  // After all that follows from it.
  queueMicrotask(() =>
    process.nextTick(() => {
      if (waiting.length > 0 && endsAt !== undefined && performance.now() < endsAt) goOn();
    }),
  );
}

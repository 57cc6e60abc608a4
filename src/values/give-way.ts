/** Time that all long work together may take of a turn of the event loop; its last step may exceed it. */
const turnMs = 10;

const waiting: (() => void)[] = [];
let endsAt: number | undefined;

/** Await between steps of long work: lets requests be served once a turn is long. Undefined while it is short. */
export function giveWay(): Promise<void> | undefined {
  const now = performance.now();
  if (endsAt === undefined) beginTurn(now);
  else if (now >= endsAt) return new Promise((resolve) => waiting.push(resolve));
  return undefined;
}

export async function eachInTurn<One, Made>(all: readonly One[], make: (one: One) => Made): Promise<Made[]> {
  const made: Made[] = [];
  for (const one of all) {
    await giveWay();
    made.push(make(one));
  }
  return made;
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

function goOn(): void {
  waiting.shift()?.();
  // Run after everything that the callback queued.
  queueMicrotask(() =>
    process.nextTick(() => {
      if (waiting.length > 0 && endsAt !== undefined && performance.now() < endsAt) goOn();
    }),
  );
}

import { Exit, exitCodes } from './failures.ts';
import { note } from './output.ts';

// A terminal that is closed sends SIGHUP.
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
let hangsUp = true;
const parentCheckedEveryMs = 250;
const endsWithinMs = 2_000;

/** Calls `act` at the first of these signals unless disposed of before; a second one ends the process. */
function onFirstSignal(act: (signal: NodeJS.Signals) => void): Disposable {
  const ending = signals.filter((signal) => signal !== 'SIGHUP' || hangsUp);
  const release = () => ending.forEach((signal) => process.off(signal, onSignal));
  const onSignal = (signal: NodeJS.Signals) => {
    release();
    act(signal);
  };
  for (const signal of ending) process.on(signal, onSignal);
  return { [Symbol.dispose]: release };
}

/** Until it is disposed of, the first signal calls `stop` with the exit to end with: code 130. */
export function interruptible(stop: (interruption: Exit) => void): Disposable {
  return onFirstSignal(() => stop(new Exit(exitCodes.interrupted)));
}

/** Runs work that calls `onStep` between its steps. After the first signal that throws, and `stopped` is noted. */
export async function untilInterrupted<T>(stopped: string, work: (onStep: () => void) => Promise<T>): Promise<T> {
  let interruption: Exit | undefined;
  using _ = interruptible((reason) => (interruption = reason));
  try {
    return await work(() => {
      if (interruption) throw interruption;
    });
  } catch (error) {
    if (error === interruption) note(stopped);
    throw error;
  }
}

/** Calls `act` at each SIGHUP, which stops the process on a terminal only. Must be called before `stopSignal`. */
export function onHangUp(act: () => void): void {
  if (process.stdin.isTTY || process.stdout.isTTY) return;
  hangsUp = false;
  process.on('SIGHUP', act);
}

/** Resolves at the first signal; started by npx, also when its parent dies: npm passes no signal on. */
export function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    const stop = (signal: NodeJS.Signals) => {
      clearInterval(watch);
      release[Symbol.dispose]();
      resolve(signal);
    };
    const release = onFirstSignal(stop);
    const parent = process.ppid;
    const isByNpm = process.env['npm_command'] !== undefined;
    const watch = setInterval(() => {
      if (isByNpm && process.ppid !== parent) stop('SIGTERM');
    }, parentCheckedEveryMs).unref();
  });
}

/** Ends the process within two seconds: a log reader that stalls would hold it for ever. */
export function endSoon(): void {
  setTimeout(() => {
    // Without a listener the signal has its default effect.
    process.removeAllListeners('SIGTERM');
    process.kill(process.pid, 'SIGTERM');
  }, endsWithinMs).unref();
}

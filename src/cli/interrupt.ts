import { Exit, exitCodes } from './output.ts';

const signals = ['SIGINT', 'SIGTERM'] as const;

/**
 * Until it is disposed of, the first SIGINT or SIGTERM calls `stop` with what to end with (exit code 130)
 * instead of ending the process; a second one ends it at once.
 */
export function interruptible(stop: (interruption: Exit) => void): Disposable {
  const onSignal = () => {
    release();
    stop(new Exit(exitCodes.interrupted));
  };
  const release = () => {
    for (const signal of signals) process.off(signal, onSignal);
  };
  for (const signal of signals) process.on(signal, onSignal);
  return { [Symbol.dispose]: release };
}

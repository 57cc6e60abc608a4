import type { Logger } from 'pino';

/** EX_SOFTWARE: a mistake in the program itself. */
const exitCode = 70;
/** A service ends this long after a failure at the latest: as long as it takes to stop. */
const endsWithinMs = 10_000;

/** Handles an uncaught failure. */
let take: (error: unknown) => void = exit;

/**
 * From now on a failure that nothing caught, thrown or rejected, ends the command at once with exit code 70, as the
 * state of the program cannot be trusted after it. `report` says so, and is told the name of the error only.
 */
export function catchUncaught(report: (name: string) => void): void {
  take = (error) => {
    take = exit;
    try {
      report(nameOf(error));
    } finally {
      exit();
    }
  };
  const onUncaught = (error: unknown) => take(error);
  process.on('uncaughtException', onUncaught).on('unhandledRejection', onUncaught);
}

/**
 * From now on the first such failure is logged, and the promise resolves: take no new work, finish what is in flight
 * and end. The exit code will be 70. A second failure, or ten seconds, end the process at once.
 */
export function drainWhenUncaught(log: Pick<Logger, 'fatal'>): Promise<undefined> {
  return new Promise((resolve) => {
    take = (error) => {
      take = (second) => {
        tell(log, second, 'a second failure that nobody caught: the process ends at once');
        exit();
      };
      process.exitCode = exitCode;
      setTimeout(exit, endsWithinMs).unref();
      tell(log, error, 'a failure that nobody caught: the process finishes what is in flight and ends');
      resolve(undefined);
    };
  });
}

function tell(log: Pick<Logger, 'fatal'>, error: unknown, message: string): void {
  try {
    log.fatal(traceOf(error), message);
  } catch {
    // A failed log must not be the next uncaught failure; the process ends all the same.
  }
}

// Only here is the process not left to end by itself: something in it may go on for ever.
function exit(): void {
  process.exit(exitCode);
}

/** Where it happened, without the message and the properties of the error, which may quote personal data. */
function traceOf(error: unknown): { failure: string; at: string[] } {
  const { stack = '', message } = error instanceof Error ? error : { message: '' };
  const frames = stack.slice(Math.max(0, stack.indexOf(message)) + message.length).split('\n');
  const at = frames.flatMap((line) => /^ {4}at (.+:\d+:\d+\)?)$/.exec(line)?.[1] ?? []);
  return { failure: nameOf(error), at };
}

/** `TypeError`, `Error ENOSPC`; of what is no error, its type. */
function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const { code } = error as NodeJS.ErrnoException;
  const kind = error.constructor.name;
  return typeof code === 'string' && /^[A-Z][A-Z0-9_]+$/.test(code) ? `${kind} ${code}` : kind;
}

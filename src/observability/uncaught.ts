import type { Logger } from 'pino';

const exitCode = 70;
const endsWithinMs = 10_000;

let take: (error: unknown) => void = exit;

/** From now on an uncaught error ends the process with code 70; `report` gets its name only. */
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

/** From now on the first uncaught error is logged and resolves the promise; a second, or 10 s, ends the process. */
export function drainWhenUncaught(log: Pick<Logger, 'fatal'>): Promise<undefined> {
  return new Promise((resolve) => {
    take = (error) => {
      take = (second) => {
        tell(log, second, 'second uncaught error: exiting at once');
        exit();
      };
      process.exitCode = exitCode;
      setTimeout(exit, endsWithinMs).unref();
      tell(log, error, 'uncaught error: finishing requests in flight, then exiting');
      resolve(undefined);
    };
  });
}

function tell(log: Pick<Logger, 'fatal'>, error: unknown, message: string): void {
  try {
    log.fatal(traceOf(error), message);
  } catch {
    // A failed log must not be the next uncaught error.
  }
}

function exit(): void {
  process.exit(exitCode);
}

/** The stack without message and properties, which may quote personal data. */
function traceOf(error: unknown): { failure: string; at: string[] } {
  const { stack = '', message } = error instanceof Error ? error : { message: '' };
  const frames = stack.slice(Math.max(0, stack.indexOf(message)) + message.length).split('\n');
  const at = frames.flatMap((line) => /^ {4}at (.+:\d+:\d+\)?)$/.exec(line)?.[1] ?? []);
  return { failure: nameOf(error), at };
}

function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const { code } = error as NodeJS.ErrnoException;
  const kind = error.constructor.name;
  return typeof code === 'string' && /^[A-Z][A-Z0-9_]+$/.test(code) ? `${kind} ${code}` : kind;
}

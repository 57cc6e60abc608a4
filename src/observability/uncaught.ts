import type { Logger } from 'pino';

import { exitCodes, reportUnforeseen } from '../cli/output.ts';

/** How long after a failure a service ends at the latest: as long as it takes to stop. */
const endsWithinMs = 10_000;

/** What becomes of a failure that nobody caught: whoever runs something that goes on takes its place. */
let take: (error: unknown) => void = endAtOnce;

/**
 * From now on a failure that nobody caught, thrown or rejected, ends the command at once with one sentence and exit
 * code 70: after it nothing can be trusted, least of all what it was in the middle of.
 */
export function catchUncaught(): void {
  process.on('uncaughtException', onUncaught).on('unhandledRejection', onUncaught);
}

function onUncaught(error: unknown): void {
  take(error);
}

/**
 * From now on the first such failure is logged, and the promise resolves: take no new work, finish what is in flight
 * and end, which will be with exit code 70 whatever else is said. A second one, or ten seconds, end it at once.
 */
export function drainWhenUncaught(log: Pick<Logger, 'fatal'>): Promise<undefined> {
  return new Promise((resolve) => {
    take = (error) => {
      take = (second) => {
        tell(log, second, 'a second failure that nobody caught: the process ends at once');
        exit();
      };
      process.exitCode = exitCodes.software;
      setTimeout(exit, endsWithinMs).unref();
      tell(log, error, 'a failure that nobody caught: the process finishes what is in flight and ends');
      resolve(undefined);
    };
  });
}

function endAtOnce(error: unknown): void {
  take = exit;
  try {
    reportUnforeseen(nameOf(error));
  } finally {
    exit();
  }
}

function tell(log: Pick<Logger, 'fatal'>, error: unknown, message: string): void {
  try {
    log.fatal(traceOf(error), message);
  } catch {
    // Which would otherwise be the next failure that nobody caught. It ends all the same.
  }
}

// The one place in which the process is not left to end by itself: something in it may go on for ever.
function exit(): void {
  process.exit(exitCodes.software);
}

/**
 * Where it happened, and nothing of what it happened with: the message of an error quotes values (`JSON.parse` and
 * Node's checks of arguments do), its properties even more.
 */
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

import { AppError, type ErrorCode } from '../errors.ts';

/** Exit codes, after sysexits.h where it has one. */
export const exitCodes = {
  done: 0,
  failed: 1,
  usage: 2,
  badData: 65,
  unavailable: 69,
  /** A mistake in the program itself. */
  software: 70,
  inputOutput: 74,
  settings: 78,
  interrupted: 130,
} as const;

const exitCodeOf: Record<ErrorCode, number> = {
  conflict: exitCodes.failed,
  not_found: exitCodes.failed,
  invalid: exitCodes.badData,
  outcome_unknown: exitCodes.unavailable,
  unavailable: exitCodes.unavailable,
  input_output: exitCodes.inputOutput,
  settings: exitCodes.settings,
};

/** Wrong usage that the argument parser cannot see. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Thrown to end with a code when everything has been said already. */
export class Exit extends Error {
  override readonly name = 'Exit';
  readonly exitCode: number;

  constructor(exitCode: number) {
    super(`exit ${exitCode}`);
    this.exitCode = exitCode;
  }
}

/** Prints the failure as one sentence on stderr, never a stack trace, and returns the exit code. */
export function reportFailure(error: unknown): number {
  if (error instanceof Exit) return error.exitCode;
  // What failed first is what can be mended; that something could not be closed after it follows from it.
  if (error instanceof SuppressedError) return reportFailure(error.suppressed);
  if (error instanceof UsageError) return say(error.message, exitCodes.usage);
  if (error instanceof AppError) return say(error.message, exitCodeOf[error.code]);
  const { code, path, message } = error as NodeJS.ErrnoException;
  if (code === 'EPIPE') return exitCodes.done;
  if (typeof code === 'string' && /^E[A-Z]+$/.test(code)) {
    return say(
      `${advice[code] ?? `The system reports ${code}; run "roster doctor", and try again`}${path === undefined ? '' : `: ${path}`}.`,
      exitCodes.inputOutput,
    );
  }
  return reportUnforeseen(message);
}

/** Says that the program itself has failed; `what` holds nothing personal. */
export function reportUnforeseen(what: string): number {
  return say(
    `Something unforeseen went wrong (${what}); please report it, with the output of "roster doctor".`,
    exitCodes.software,
  );
}

const advice: Record<string, string> = {
  ENOENT: 'There is no such file or folder; check the path',
  EACCES: 'The file may not be read or written; check its owner and permissions',
  EPERM: 'The file may not be read or written; check its owner and permissions',
  EISDIR: 'This is a folder; name a file',
  EEXIST: 'The file exists already; name another',
  ENOSPC: 'The disk is full; make room and try again',
  EDQUOT: 'The quota of this user is used up; make room and try again',
  EIO: 'The disk reports an input/output error; check the disk, and try again',
  ENOTDIR: 'A part of the path is a file, not a folder; check the path',
  EROFS: 'The disk is mounted read-only; choose another path',
};

function say(sentence: string, exitCode: number): number {
  note(`roster: ${sentence}`);
  return exitCode;
}

// What a file calls its columns must not move the cursor or set the title of the operator's terminal.
const controlCharacters = /(?!\n)\p{Cc}/gu;

/** Whether the stream is a terminal that may be coloured and redrawn. */
export function isLively(stream: NodeJS.WriteStream): boolean {
  return stream.isTTY && (process.env['NO_COLOR'] ?? '') === '';
}

/** Talk, as opposed to results, goes to stderr. */
export function note(text: string): void {
  process.stderr.write(`${text.replaceAll(controlCharacters, '?')}\n`);
}

/**
 * The result of a command: one JSON document with `--json`, else whatever reads best. `ifLost` is said where it cannot
 * be written.
 */
export function printResult(
  value: unknown,
  { json }: { json?: boolean | undefined },
  text: () => string,
  ifLost?: string,
): void {
  if (ifLost !== undefined) process.stdout.once('error', () => note(ifLost));
  process.stdout.write(
    `${json === true ? JSON.stringify(value, null, process.stdout.isTTY ? 2 : 0) : text()}\n`,
  );
}

/** Columns wide enough for their cells; null is a dash. */
export function table<Row extends object>(
  rows: readonly Row[],
  columns: readonly (keyof Row & string)[],
): string {
  const lines = [
    columns.map((column) => column.toUpperCase()),
    ...rows.map((row) => columns.map((column) => cellText(row[column]))),
  ];
  const widths = columns.map((_, index) => Math.max(...lines.map((line) => (line[index] ?? '').length)));
  return lines
    .map((line) =>
      line
        .map((cell, index) => cell.padEnd(widths[index] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function cellText(value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (Array.isArray(value)) return value.length === 0 ? '-' : shown(value.join(', '));
  return shown(typeof value === 'string' ? value : JSON.stringify(value));
}

/** Without what would move the cursor, or make two rows of one. */
function shown(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, '?');
}

/** One `name: value` a line. */
export function listing(value: object): string {
  const entries = Object.entries(value);
  const width = Math.max(...entries.map(([name]) => name.length)) + 1;
  return entries.map(([name, one]) => `${`${name}:`.padEnd(width)} ${cellText(one)}`).join('\n');
}

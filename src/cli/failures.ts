import { AppError, type ErrorCode } from '../errors.ts';
import { note } from './output.ts';

/** Exit codes, after sysexits.h where it has one. */
export const exitCodes = {
  done: 0,
  failed: 1,
  usage: 2,
  badData: 65,
  unavailable: 69,
  software: 70,
  inputOutput: 74,
  settings: 78,
  interrupted: 130,
} as const;

const exitCodeOf: Partial<Record<ErrorCode, number>> = {
  input_output: exitCodes.inputOutput,
  invalid: exitCodes.badData,
  outcome_unknown: exitCodes.unavailable,
  settings: exitCodes.settings,
  unavailable: exitCodes.unavailable,
};

const nextSteps: Record<string, string> = {
  'conflict project': 'choose another with --id; "roster projects list" shows those that exist',
  'ambiguous_match project': 'say which with --project ID',
  'not_found project': 'see "roster projects list"',
  'ambiguous_match chatbot': 'say which project with --project ID',
  'conflict chatbot': 'choose another --id, or see "roster chatbots list --project ID"',
  'chatbots_exhausted project': 'raise the limit with "roster projects update PROJECT_ID --chatbots N"',
  'contacts_exhausted project': 'raise the limit with "roster projects update PROJECT_ID --contacts N"',
  'not_found chatbot': 'see "roster chatbots list --project ID"',
  'conflict contact': 'give another external_id, or see "roster contacts show"',
  'conflict member': 'see "roster members list --project ID"',
  'ambiguous_match member': 'say which project with --project ID',
  'not_found member': 'see "roster members list --project ID"',
  'owner_protected member': 'hand it over with "roster members transfer --project ID --to EMAIL"',
  'seats_exhausted project': 'raise the limit with "roster projects update PROJECT_ID --seats N"',
  'not_found contact': '"roster contacts list" shows who is there, and with --deleted who is in the bin',
  'conflict merge': 'change or delete that one first',
  'not_found merge': 'a merge can be undone once, within the days of the bin',
  'conflict api_key': 'see "roster keys list"',
  'not_found api_key': 'see "roster keys list"',
  'keys_exhausted api_key': 'revoke one that nobody uses, with "roster keys revoke KEY_ID"',
  'cursor_expired cursor': 'begin again without --after',
  'invalid cursor': 'give --after the next_cursor of an earlier list',
};

function sentenceOf({ code, message: sentence, about, errors = [], existing = [], mergedInto }: AppError): string {
  const wrong = errors.map(({ field, message }) => `${field} ${message}`).join('; ');
  const message =
    code === 'invalid' && wrong !== '' && about === undefined
      ? wrong.replace(/^./, (letter) => letter.toUpperCase())
      : sentence;
  const named = mergedInto ? [mergedInto.contactId] : existing;
  const ids = named.length === 0 ? '' : `: ${named.join(', ')}`;
  const next = nextSteps[`${code} ${about ?? ''}`];
  const whole = `${message.replace(/\.$/, '')}${ids}${next === undefined ? '' : `; ${next}`}`;
  return whole.endsWith('?') ? whole : `${whole}.`;
}

export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Ends the command with a code, and prints nothing more. */
export class Exit extends Error {
  override readonly name = 'Exit';
  readonly exitCode: number;

  constructor(exitCode: number) {
    super(`exit ${exitCode}`);
    this.exitCode = exitCode;
  }
}

/** Prints the error as one sentence on stderr, never a stack trace, and returns the exit code. */
export function reportError(error: unknown): number {
  if (error instanceof Exit) return error.exitCode;
  // Report the first error; an error while closing is a consequence.
  if (error instanceof SuppressedError) return reportError(error.suppressed);
  if (error instanceof UsageError) return say(error.message, exitCodes.usage);
  if (error instanceof AppError) return say(sentenceOf(error), exitCodeOf[error.code] ?? exitCodes.failed);
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'EPIPE') return exitCodes.done;
  const sentence = systemSentence(error);
  if (sentence !== undefined) return say(sentence, exitCodes.inputOutput);
  return reportUnforeseen(message);
}

export function systemSentence(error: unknown): string | undefined {
  const { code, syscall, path } = error as NodeJS.ErrnoException;
  if (typeof code !== 'string' || !/^E[A-Z_]+$/.test(code)) return undefined;
  const sentence = advice[code] ?? `The system reports ${code}; run "roster doctor", and try again`;
  const place = syscall === 'uv_cwd' ? 'the current folder' : path;
  return `${sentence}${place === undefined ? '' : `: ${place}`}.`;
}

/** Reports a defect of the program; `what` must hold no personal data. */
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

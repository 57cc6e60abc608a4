/** A request that somebody might send, with all that is the right answer to it. */
export interface RequestCase {
  what: string;
  /** Where it is written: a section of RFC 9110 or 9112, or ours. */
  rule: string;
  bytes: Buffer;
  /** The statuses of all answers that come, in their order; the first is its own. */
  statuses: readonly number[];
  /** Whether the connection is over with the last of them. */
  ends: boolean;
  isHead: boolean;
}

/** What cases are made of. */
export interface Ingredients {
  host: string;
  token: string;
  /** A path that the token gets 200 for. */
  path: string;
}

type Row = readonly [rule: string, what: string, bytes: string, ...statuses: number[]];

/** One byte a character: rows hold characters to U+00FF only. */
export const ended = (row: Row): RequestCase => ofRow(row, true);
export const kept = (row: Row): RequestCase => ofRow(row, false);

function ofRow([rule, what, bytes, ...statuses]: Row, ends: boolean): RequestCase {
  const isHead = bytes.startsWith('HEAD ');
  return { rule, what, bytes: Buffer.from(bytes, 'latin1'), statuses, ends, isHead };
}

/** A request of these lines, and of what comes after its head. */
export const lines = (first: string, fields: readonly string[] = [], rest = ''): string =>
  `${[first, ...fields].join('\r\n')}\r\n\r\n${rest}`;

export const everyByte: readonly string[] = Array.from({ length: 256 }, (_, byte) => String.fromCharCode(byte));

/** A byte as the cases name it. */
export function nameOf(byte: string): string {
  return `byte 0x${byte.charCodeAt(0).toString(16).padStart(2, '0')}`;
}

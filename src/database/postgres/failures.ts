import { AppError, outcomeUnknown } from '../../errors.ts';
import { newerProgram } from '../newest-only.ts';

const lostStatement =
  'PostgreSQL lost a prepared statement; try again, and if PgBouncer stands before it see docs/scaling.md';

const advice: Record<string, string> = {
  '08': 'the connection to PostgreSQL was lost; the next request connects again',
  '0A000': 'the schema was changed under this process; try again',
  '08P01': 'a pooler before PostgreSQL says "WORDS"; see "PgBouncer" in docs/scaling.md',
  '25006': 'this PostgreSQL server takes no writes; name the primary in DATABASE_URL, or all hosts of it',
  '26000': lostStatement,
  '28': 'PostgreSQL refuses the user or password of DATABASE_URL; correct it there',
  '28000': 'PostgreSQL refuses the user of DATABASE_URL, or wants TLS for it; check the user, sslmode and pg_hba.conf',
  '3D000': 'the database that DATABASE_URL names does not exist; create it with "createdb"',
  '40': 'PostgreSQL rolled back one of two conflicting transactions; try again',
  '42P01': 'a table is missing; see "roster doctor", and restore the last backup with pg_restore',
  '42P05': lostStatement,
  '42501': 'the user of DATABASE_URL lacks a right on the schema or a table; see docs/scaling.md',
  '53': 'PostgreSQL has no connection, memory or disk left; see "roster doctor"',
  '53300': 'PostgreSQL has no connection left; raise max_connections or run fewer processes',
  '55P03': 'another process holds the lock; try again when it is done',
  '57': 'PostgreSQL is starting, stopping or was told to end the statement; try again',
  RS001: newerProgram,
  '58': 'PostgreSQL reports an error of its disk or system; see its log',
};
const noTls = 'PostgreSQL and DATABASE_URL do not agree about TLS; check sslmode and the settings of the server';
const unknownHost =
  'PostgreSQL does not answer, because the name of its host cannot be looked up; check DATABASE_URL and the name server';
const away = 'PostgreSQL does not answer; check that it runs and that DATABASE_URL is right';

export function unavailable(reason = away, cause?: Error): AppError {
  return new AppError('unavailable', `The store cannot be used: ${reason}.`, cause && { cause });
}

/** Codes by which PostgreSQL or a pooler says that it does not know whether a statement took effect. */
export const inDoubt = '40003';

export function isInDoubt(error: unknown): boolean {
  const { code = '' } = error as { code?: string };
  return code === inDoubt || /^08[\dA-Z]{3}$/.test(code);
}

export function answerLost(error: unknown): AppError {
  const why = isInDoubt(error)
    ? 'PostgreSQL answered COMMIT without saying that it is done and safe'
    : 'the connection to PostgreSQL was lost during COMMIT';
  return outcomeUnknown(`${why}; look for the change before you try again`, toFailure(error));
}

/** Whether to close the connection: its prepared statements no longer match ours, or its server takes no writes. */
export function spoilsConnection(error: unknown): boolean {
  return ['0A000', '25006', '26000', '42P05'].includes((error as { code?: string }).code ?? '');
}

/** Turns a driver error into `unavailable`, or into an error without the row values that PostgreSQL quotes. */
export function toFailure(error: unknown): Error {
  if (error instanceof AppError) return error;
  const { code, message = '', constraint } = error as { code?: unknown; message?: string; constraint?: string };
  if (typeof code !== 'string' || !/^[\dA-Z]{5}$/.test(code) || isSystemCode(code)) {
    const word = typeof code === 'string' ? code : 'connection lost';
    return unavailable(reasonOfConnection(code, message), new Error(word));
  }
  const bare = Object.assign(
    new Error(`PostgreSQL ${code}${quotable(code, message)}${constraint ? ` (${constraint})` : ''}`),
    { code },
  );
  const known = advice[code] ?? advice[code.slice(0, 2)];
  if (known === undefined) return bare;
  // A pooler's messages quote no rows.
  const reason = known.replace('WORDS', () => message);
  return unavailable(code === '42P01' ? `${message}: ${reason}` : reason, bare);
}

function reasonOfConnection(code: unknown, message: string): string {
  if (typeof code !== 'string') return reasonOfDriver(message);
  if (code === 'ENOENT' || code === 'EACCES') {
    return 'a file that DATABASE_URL names cannot be read; check sslrootcert, sslcert and sslkey';
  }
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return unknownHost;
  if (/CERT|SIGNATURE/.test(code)) {
    return 'the certificate of PostgreSQL cannot be verified; name its authority in DATABASE_URL with sslrootcert=FILE';
  }
  return code.startsWith('ERR_SSL') ? noTls : away;
}

function reasonOfDriver(message: string): string {
  if (/ssl/i.test(message)) return noTls;
  return /SASL|password/.test(message) ? 'PostgreSQL asks for a password; give it in DATABASE_URL or PGPASSWORD' : away;
}

// Messages of triggers (P0) and about the statement (42) quote no values.
function quotable(code: string, message: string | undefined): string {
  return /^(P0|42)/.test(code) ? `: ${message}` : '';
}

/** `EPIPE` looks like a SQLSTATE. */
function isSystemCode(code: string): boolean {
  return /^E[A-Z]{4}$/.test(code);
}

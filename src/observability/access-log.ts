import type { BaseLogger } from 'pino';

export type Log = Pick<BaseLogger, 'debug' | 'info' | 'warn' | 'error'>;

/** Why a request was turned away: too many are under way, or they wait too long for their turn. */
export type ShedReason = 'in_flight' | 'event_loop';

/** What is known of an answer; nothing of headers or bodies. */
export interface Answered {
  requestId: string;
  /** Null for what never became a request. */
  method: string | null;
  /** The route's pattern stands for the path, which holds ids; null where there is none. */
  route: string | null;
  status: number;
  durationMs?: number | undefined;
  keyId?: string | undefined;
  projectId?: string | undefined;
  /** Set where the request was turned away because there are too many. */
  shed?: ShedReason;
}

export type OnAnswered = (answered: Answered) => void;

/**
 * Writes one line an answer, as pino would (which takes 5 µs to do so, a tenth of an answer; this takes 1). `base` is
 * on each line.
 */
export function accessLog(
  write: (line: string) => void,
  base: Readonly<Record<string, number>> = {},
): OnAnswered {
  const baseFields = Object.entries(base).map(([name, value]) => `"${name}":${value},`);
  const start = `{"level":"info","time":"`;
  const afterTime = `",${baseFields.join('')}"request_id":"`;
  return ({ requestId, method, route, status, durationMs, keyId, projectId }) => {
    let line = `${start}${timestamp()}${afterTime}${requestId}","method":${JSON.stringify(method)}`;
    line += `,"route":${JSON.stringify(route)},"status":${status}`;
    if (durationMs !== undefined) line += `,"duration_ms":${Math.round(durationMs * 100) / 100}`;
    if (keyId !== undefined) line += `,"key_id":${JSON.stringify(keyId)}`;
    if (projectId !== undefined) line += `,"project_id":${JSON.stringify(projectId)}`;
    write(`${line},"msg":"answered"}\n`);
  };
}

let lastMs = 0;
let lastTimestamp = '';

// Many answers are given in one millisecond.
function timestamp(): string {
  const now = Date.now();
  if (now !== lastMs) [lastMs, lastTimestamp] = [now, new Date(now).toISOString()];
  return lastTimestamp;
}

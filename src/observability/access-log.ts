import type { BaseLogger } from 'pino';

export type Log = Pick<BaseLogger, 'debug' | 'info' | 'warn' | 'error'>;

export type ShedReason = 'in_flight' | 'event_loop';

/** For log and metrics; holds nothing of headers or bodies. */
export interface Answered {
  requestId: string;
  /** Null for bytes that never became a request. */
  method: string | null;
  /** The pattern, not the path with its ids; null without a route. */
  route: string | null;
  status: number;
  durationMs?: number | undefined;
  keyId?: string | undefined;
  projectId?: string | undefined;
  shed?: ShedReason;
}

export type OnAnswered = (answered: Answered) => void;

/** Writes each answer as a line of pino's form, which takes pino several times as long. */
export function accessLog(write: (line: string) => void): OnAnswered {
  // What most lines have in common with an earlier one is put together once.
  const partsOfRoutes = new Map<string, string>();
  let keyOfPart: string | undefined;
  let keyPart = '';
  return ({ requestId, method, route, status, durationMs, keyId, projectId }) => {
    const name = `${method} ${status} ${route}`;
    let routePart = partsOfRoutes.get(name);
    if (routePart === undefined) {
      routePart = `"method":${JSON.stringify(method)},"route":${JSON.stringify(route)},"status":${status}`;
      partsOfRoutes.set(name, routePart);
    }
    if (keyId !== keyOfPart) {
      keyOfPart = keyId;
      keyPart =
        keyId === undefined ? '' : `,"key_id":${JSON.stringify(keyId)},"project_id":${JSON.stringify(projectId)}`;
    }
    const duration = durationMs === undefined ? '' : `,"duration_ms":${Math.round(durationMs * 100) / 100}`;
    write(
      `{"level":"info","time":"${timestamp()}","request_id":"${requestId}",${routePart}${duration}${keyPart},"msg":"answered"}\n`,
    );
  };
}

let lastMs = 0;
let lastTimestamp = '';

function timestamp(): string {
  const now = Date.now();
  if (now !== lastMs) [lastMs, lastTimestamp] = [now, new Date(now).toISOString()];
  return lastTimestamp;
}

import type { BaseLogger } from 'pino';

import type { Refusal } from '../api-keys/authenticate.ts';

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
  /** A member who is signed in, in place of a key. */
  memberId?: string | undefined;
  projectId?: string | undefined;
  shed?: ShedReason;
  /** Why there is no usable key; `keyId` is then that of a key which has ended. */
  refusal?: Refusal;
}

export type OnAnswered = (answered: Answered) => void;

/** Writes each answer as a line of pino's form, which takes pino several times as long. */
export function accessLog(write: (line: string) => void): OnAnswered {
  const routePartOf = perAnswer(
    ({ method, route, status }) =>
      `"method":${JSON.stringify(method)},"route":${JSON.stringify(route)},"status":${status}`,
  );
  let keyOfPart: string | undefined;
  let keyPart = '';
  return (answered) => {
    const { requestId, durationMs, keyId, memberId, projectId } = answered;
    const routePart = routePartOf(answered);
    if (keyId !== keyOfPart) {
      keyOfPart = keyId;
      keyPart =
        keyId === undefined ? '' : `,"key_id":${JSON.stringify(keyId)},"project_id":${JSON.stringify(projectId)}`;
    }
    const member =
      memberId === undefined
        ? ''
        : `,"member_id":${JSON.stringify(memberId)},"project_id":${JSON.stringify(projectId)}`;
    const duration = durationMs === undefined ? '' : `,"duration_ms":${Math.round(durationMs * 100) / 100}`;
    write(
      `{"level":"info","time":"${timestamp()}","request_id":"${requestId}",${routePart}${duration}${keyPart}${member},"msg":"answered"}\n`,
    );
  };
}

/** A line for people, such as `GET /v2/members 200 3 ms`, with anything unusual. */
export function answerText(answered: Answered): string {
  const { requestId, method, route, status, durationMs, keyId, memberId, shed, refusal } = answered;
  const took = durationMs === undefined ? '' : ` ${Math.round(durationMs)} ms`;
  const special = [
    refusal && (keyId === undefined ? `key ${refusal}` : `key ${keyId} ${refusal}`),
    refusal === undefined && keyId !== undefined && `key ${keyId}`,
    memberId !== undefined && `member ${memberId}`,
    shed && (shed === 'in_flight' ? 'too many in flight' : 'event loop late'),
    status >= 500 && `request ${requestId}`,
  ].filter((one) => typeof one === 'string');
  return [`${method ?? '-'} ${route ?? '-'} ${status}${took}`, ...special].join(', ');
}

/** Makes something once for each method, route and status: to put them together as a text each time is dearer. */
export function perAnswer<T>(make: (answered: Answered) => T): (answered: Answered) => T {
  const known = new Map<string | null, Map<string | null, Map<number, T>>>();
  return (answered) => {
    const { method, route, status } = answered;
    const ofStatus = known.get(route)?.get(method);
    const made = ofStatus?.get(status);
    if (made !== undefined) return made;
    const fresh = make(answered);
    if (!known.has(route)) known.set(route, new Map());
    known.get(route)?.set(method, (ofStatus ?? new Map<number, T>()).set(status, fresh));
    return fresh;
  };
}

let lastMs = 0;
let lastTimestamp = '';

function timestamp(): string {
  const now = Date.now();
  if (now !== lastMs) [lastMs, lastTimestamp] = [now, new Date(now).toISOString()];
  return lastTimestamp;
}

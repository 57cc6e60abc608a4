import type { BaseLogger } from 'pino';

import type { KeyRefusal } from '../api-keys/authenticate.ts';

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
  code?: string | undefined;
  durationMs?: number | undefined;
  keyId?: string | undefined;
  memberId?: string | undefined;
  projectId?: string | undefined;
  shed?: ShedReason;
  /** Why there is no usable key; `keyId` is then that of a key which has ended. */
  refusal?: KeyRefusal | undefined;
}

export type OnAnswered = (answered: Answered) => void;

/** Writes each answer as a line in the form of pino, which takes several times as long. */
export function accessLog(write: (line: string) => void): OnAnswered {
  return ({ requestId, method, route, status, code, durationMs, keyId, memberId, projectId }) => {
    const fields = {
      level: 'info',
      time: new Date().toISOString(),
      request_id: requestId,
      method,
      route,
      status,
      code,
      duration_ms: durationMs === undefined ? undefined : Math.round(durationMs * 100) / 100,
      key_id: keyId,
      member_id: memberId,
      project_id: keyId === undefined && memberId === undefined ? undefined : projectId,
      msg: 'answered',
    };
    write(`${JSON.stringify(fields)}\n`);
  };
}

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

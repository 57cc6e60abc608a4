import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Names and values in turn, which Node writes in a fifth of the time that an object takes. */
export type HeaderList = readonly string[];

/** No cache on the way may keep personal data. */
export const keptByNobody: HeaderList = ['cache-control', 'private, no-store'];
const byKey: HeaderList = ['vary', 'Authorization', 'x-content-type-options', 'nosniff'];
const byOrigin: HeaderList = ['vary', 'Authorization, Origin', 'x-content-type-options', 'nosniff'];

export function standingHeaders(allowance: HeaderList): HeaderList {
  return allowance.length > 0 ? byOrigin : byKey;
}

export const jsonType: HeaderList = ['content-type', 'application/json; charset=utf-8'];

/** The token in an Authorization header; undefined where there is none. RFC 9110 §11.1: the scheme in any letter case. */
export function bearerToken(header: string | undefined): string | undefined {
  return /^bearer +(\S.*)$/i.exec(header ?? '')?.[1]?.trimEnd();
}

// No key: a caller may send one in the wrong place, and the id is logged.
const acceptable = /^(?!.*rst_[0-9A-Za-z]{36})[A-Za-z0-9._-]{1,128}$/;
/** The caller's own `X-Request-Id` where it is 1 to 128 harmless characters, else a new one. */
export function requestId(request: Pick<IncomingMessage, 'headers'>): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && acceptable.test(given) ? given : randomUUID();
}

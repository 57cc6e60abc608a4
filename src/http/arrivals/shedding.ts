import type { OnAnswered, ShedReason } from '../../observability/access-log.ts';
import { allowanceOf } from '../cors.ts';
import { failureBody, statusOf } from '../failures.ts';
import { requestId } from '../request-id.ts';
import { standingHeaders } from '../response-headers.ts';
import type { Arrival } from './admission.ts';

const idPlace = '-';
const [bodyStart = '', bodyEnd = ''] = JSON.stringify(failureBody('unavailable', idPlace)).split(
  `"${idPlace}"`,
);
const status = statusOf('unavailable');
// What was too much is over as soon as others have had their answers.
const retryAfterSeconds = 1;
const headers = {
  ...standingHeaders,
  'retry-after': String(retryAfterSeconds),
  'content-type': 'application/json; charset=utf-8',
};

/** Answers 503 past all else, so that to turn away is cheaper than to answer. */
export function turnAway(
  { request, response, at }: Arrival,
  origins: readonly string[],
  onAnswered: OnAnswered,
  shed?: ShedReason,
): void {
  const id = requestId(request);
  // An id is made of characters that JSON leaves as they are.
  const body = `${bodyStart}"${id}"${bodyEnd}`;
  response.writeHead(status, {
    ...headers,
    'x-request-id': id,
    'content-length': body.length,
    ...allowanceOf(request.headers.origin, origins),
  });
  response.end(body, 'latin1');
  const durationMs = performance.now() - at;
  const { method = null } = request;
  onAnswered({ requestId: id, method, route: null, status, durationMs, ...(shed && { shed }) });
}

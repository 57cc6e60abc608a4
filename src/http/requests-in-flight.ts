import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import type { Answered, OnAnswered } from '../observability/access-log.ts';
import { sendFailure, unavailable } from './failures.ts';

const answerWithinMs = 5_000;
const checkedEveryMs = 500;

/**
 * Follows every request to the end of its answer (returned are those that are on their way), and answers 503 in the
 * place of a handler that takes longer than five seconds. Fastify's own logger and time limit do the same with a logger, two listeners, a timer and an
 * AbortController for each request, which took a quarter of the time of an answer.
 */
export function followRequests(
  app: FastifyInstance,
  onAnswered: OnAnswered,
  onLate: (request: FastifyRequest) => void,
): ReadonlyMap<FastifyReply, unknown> {
  const startedAt = new Map<FastifyReply, number>();
  app.addHook('onRequest', (request, reply, done) => {
    const start = request.raw.arrivedAt ?? performance.now();
    startedAt.set(reply, start);
    reply.raw.on('finish', () => {
      startedAt.delete(reply);
      onAnswered(answeredBy(request, reply, performance.now() - start));
    });
    done();
  });

  const check = () => {
    const now = performance.now();
    for (const [reply, start] of startedAt) {
      // Of answers that wait behind others, none is told that its connection is gone.
      if (reply.raw.destroyed || reply.request.raw.socket.destroyed) startedAt.delete(reply);
      else if (now - start >= answerWithinMs && !reply.sent) {
        onLate(reply.request);
        sendFailure(unavailable(), reply.request, reply);
      }
    }
  };
  const timer = setInterval(check, checkedEveryMs).unref();
  app.addHook('onClose', async () => clearInterval(timer));
  return startedAt;
}

export function answeredBy(request: FastifyRequest, reply: FastifyReply, durationMs: number): Answered {
  return {
    requestId: request.id,
    method: request.method,
    route: request.routeOptions.url ?? null,
    status: reply.statusCode,
    durationMs,
    keyId: request.caller?.keyId,
    projectId: request.caller?.projectId,
  };
}

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { BaseLogger } from 'pino';

export type Log = Pick<BaseLogger, 'debug' | 'info' | 'warn' | 'error'>;

/** One line an answer. The route's pattern stands for the path, which holds ids; nothing of headers or bodies. */
export function logAnswer(log: Log, request: FastifyRequest, reply: FastifyReply, durationMs: number): void {
  log.info(
    {
      request_id: request.id,
      method: request.method,
      route: request.routeOptions.url ?? null,
      status: reply.statusCode,
      duration_ms: Math.round(durationMs * 100) / 100,
      key_id: request.caller?.keyId,
      project_id: request.caller?.projectId,
    },
    'answered',
  );
}

/** The line of an answer to what never became a request. */
export function logRefusal(log: Log, requestId: string, status: number): void {
  log.info({ request_id: requestId, method: null, route: null, status }, 'answered');
}

import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** One line an answer. The route's pattern stands for the path, which holds ids; nothing of headers or bodies. */
export function logAnswers(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => logAnswer(request, reply));
}

/** The line of one answer; for those that Fastify gives without its hooks. */
export function logAnswer(request: FastifyRequest, reply: FastifyReply): void {
  request.log.info(
    {
      method: request.method,
      route: request.routeOptions.url ?? null,
      status: reply.statusCode,
      duration_ms: Math.round(reply.elapsedTime * 100) / 100,
      key_id: request.caller?.keyId,
      project_id: request.caller?.projectId,
    },
    'answered',
  );
}

/** The line of an answer to what never became a request. */
export function logRefusal(log: FastifyBaseLogger, requestId: string, status: number): void {
  log.info({ request_id: requestId, method: null, route: null, status }, 'answered');
}

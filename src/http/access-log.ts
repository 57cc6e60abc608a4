import type { FastifyInstance } from 'fastify';

/** One line an answer. The route's pattern stands for the path, which holds ids; nothing of headers or bodies. */
export function logAnswers(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => {
    const line = {
      method: request.method,
      route: request.routeOptions.url ?? null,
      status: reply.statusCode,
      duration_ms: Math.round(reply.elapsedTime * 100) / 100,
      key_id: request.caller?.keyId,
      project_id: request.caller?.projectId,
    };
    request.log.info(line, 'answered');
  });
}

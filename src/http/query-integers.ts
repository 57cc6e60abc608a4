import type { FastifyInstance, FastifyRequest } from 'fastify';

const wholeNumber = /^[1-9][0-9]{0,8}$/;

/**
 * Turns the integers of a query into numbers before validation, by their exact digits: what Ajv would
 * coerce (`1e3`, `+1`, ` 1`, the empty text) stays a text and is refused.
 */
export function readQueryIntegers(scope: FastifyInstance): void {
  scope.addHook('preValidation', async (request: FastifyRequest) => {
    const schema = request.routeOptions.schema?.querystring as
      | { properties?: Record<string, { type?: string }> }
      | undefined;
    const query = request.query as Record<string, unknown>;
    for (const [name, { type }] of Object.entries(schema?.properties ?? {})) {
      const text = query[name];
      if (type === 'integer' && typeof text === 'string' && wholeNumber.test(text))
        query[name] = Number(text);
    }
  });
}

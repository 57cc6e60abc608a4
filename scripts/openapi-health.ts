import { always, errorResponses } from './openapi-responses.ts';

/** The health checks, which need no key and are no operations. */
export function healthPaths(): Record<string, Record<string, object>> {
  return {
    '/livez': { get: check('getLiveness', 'Check liveness', 'live', 'Whether the process answers.') },
    '/readyz': { get: check('getReadiness', 'Check readiness', 'ready', 'Whether requests should be sent here.') },
  };
}

function check(operationId: string, summary: string, flag: string, description: string): object {
  const schema = {
    type: 'object',
    required: ['status', 'data'],
    properties: {
      status: { type: 'string', enum: ['success'] },
      data: { type: 'object', required: [flag], properties: { [flag]: { type: 'boolean' } } },
    },
    description: 'Yes.',
  };
  const example = { status: 'success', data: { [flag]: true } };
  return {
    operationId,
    summary,
    tags: ['Health'],
    description: `${description} Needs no key.`,
    security: [],
    responses: {
      200: { description: 'Yes.', content: { 'application/json': { schema, example } } },
      ...errorResponses(always),
    },
  };
}

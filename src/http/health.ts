import type { FastifyInstance } from 'fastify';

import type { Store } from '../store.ts';
import { Success, success } from './envelope.ts';
import { unavailable } from './failures.ts';
import { failureResponses } from './openapi/responses.ts';
import { boolean, closed, object } from './openapi/schema.ts';

/** `/livez` (the process answers) and `/readyz` (it can serve: store, schema, not stopping). Without a key. */
export function registerHealth(
  app: FastifyInstance,
  store: Pick<Store, 'ready'>,
  isStopping: () => boolean,
): void {
  let asked: Promise<void> | undefined;
  // Those that come meanwhile are told the same: probes are never turned away, and must not ask for more than one can.
  const ready = () => (asked ??= store.ready().finally(() => (asked = undefined)));
  app.get('/livez', { schema: schema('getLiveness', 'Whether the process answers.', 'live') }, async () =>
    success({ live: true }),
  );
  app.get(
    '/readyz',
    { schema: schema('getReadiness', 'Whether requests should be sent here.', 'ready') },
    async () => {
      if (isStopping()) throw unavailable();
      await ready();
      return success({ ready: true });
    },
  );
}

function schema(operationId: string, summary: string, flag: string) {
  return {
    operationId,
    summary,
    description: `${summary} Needs no key.`,
    tags: ['Health'],
    security: [],
    response: {
      200: {
        ...Success(object({ [flag]: boolean() }, closed), 'Yes.'),
        examples: [{ status: 'success', data: { [flag]: true } }],
      },
      ...failureResponses(),
    },
  };
}

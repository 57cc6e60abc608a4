import type { FastifyInstance } from 'fastify';

import type { Store } from '../../store.ts';
import { requireApiKey } from '../authentication.ts';
import { answerConditionally } from '../conditional-requests.ts';
import { readQueryIntegers } from '../query-integers.ts';
import type { RateLimit } from '../rate-limit.ts';
import { registerListMembers } from './list-members.ts';
import { registerRetrieveContact } from './retrieve-contact.ts';

/** Everything under `/v2`: the guard first, then one line an operation. */
export function registerV2(app: FastifyInstance, store: Store, limit: RateLimit): void {
  app.register(
    async (scope) => {
      requireApiKey(scope, store, limit);
      readQueryIntegers(scope);
      answerConditionally(scope);

      registerListMembers(scope, store);
      registerRetrieveContact(scope, store);
    },
    { prefix: '/v2' },
  );
}

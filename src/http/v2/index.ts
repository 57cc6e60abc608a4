import type { FastifyInstance } from 'fastify';

import type { Store } from '../../store.ts';
import type { Log } from '../access-log.ts';
import { requireApiKey } from '../authentication.ts';
import { answerConditionally } from '../conditional-requests.ts';
import type { RateLimit } from '../rate-limit.ts';
import { noteVersion, repeatAnswers } from '../remembered-answers.ts';
import { registerListMembers } from './list-members.ts';
import { registerRetrieveContact } from './retrieve-contact.ts';

/** Everything under `/v2`: the guard first, then one line an operation. */
export function registerV2(app: FastifyInstance, store: Store, limit: RateLimit, log: Log): void {
  app.register(
    async (scope) => {
      noteVersion(scope, store);
      requireApiKey(scope, store, limit, log);
      answerConditionally(scope);
      repeatAnswers(scope);

      registerListMembers(scope, store);
      registerRetrieveContact(scope, store);
    },
    { prefix: '/v2' },
  );
}

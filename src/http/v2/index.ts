import type { FastifyInstance } from 'fastify';

import type { Store } from '../../store.ts';
import type { LaneOperation } from '../arrivals/express-lane.ts';
import { type GuardOptions, requireApiKey } from '../authentication.ts';
import { answerConditionally } from '../conditional-requests.ts';
import { listMembersInLane, registerListMembers } from './list-members.ts';
import { registerRetrieveContact, retrieveContactInLane } from './retrieve-contact.ts';

/** Everything under `/v2`: the guard first, then one line an operation. */
export function registerV2(app: FastifyInstance, store: Store, guarded: GuardOptions): void {
  app.register(
    async (scope) => {
      requireApiKey(scope, store, guarded);
      answerConditionally(scope);

      registerListMembers(scope, store);
      registerRetrieveContact(scope, store);
    },
    { prefix: '/v2' },
  );
}

/** The same operations for plain requests, which need no routing. */
export function laneOfV2(store: Store): LaneOperation[] {
  return [retrieveContactInLane(store), listMembersInLane(store)];
}

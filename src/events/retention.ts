import { write } from '../operation.ts';
import type { Timestamp } from '../values/timestamp.ts';
import { unchanged } from './event.ts';

type TooOld = { before: Timestamp; limit: number };

/** Deletes some of the oldest events, so that the rest has no gap; returns how many. That is no event itself. */
export const purgeEvents = write({
  name: 'purgeEvents',
  scope: null,
  run: async ({ events }, { projectId }, { before, limit }: TooOld) =>
    unchanged(await events.purge(projectId, before, limit)),
});

export const purgeIdempotencyKeys = write({
  name: 'purgeIdempotencyKeys',
  scope: null,
  run: async ({ idempotency }, { projectId }, { before, limit }: TooOld) =>
    unchanged(await idempotency.purge(projectId, before, limit)),
});

import type { Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';

import { expect, it } from 'vitest';

import { openHoldingBack } from '../../src/http/arrivals/holding-back.ts';

const retryAfterMs = 1_000;
const connections = 1_000;
const turnMs = 60;

it('whoever comes back after what Retry-After says is read at once, however long the turns of the event loop are', async () => {
  const released: number[] = [];
  const holdingBack = openHoldingBack();
  const startedAt = performance.now();
  for (let opened = 0; opened < connections; opened++) {
    const socket = { pause: () => undefined, resume: () => released.push(performance.now() - startedAt) };
    holdingBack.hold(socket as unknown as Socket);
  }
  let longestTurn = 0;
  while (released.length < connections) {
    const before = performance.now();
    await turn();
    while (performance.now() - before < turnMs);
    longestTurn = Math.max(longestTurn, performance.now() - before);
  }
  holdingBack.stop();
  // A timer that is due within a turn is seen at its end.
  expect(Math.max(...released)).toBeLessThan(retryAfterMs + 2 * longestTurn);
  // Not all in one turn either, which would be the flood again.
  expect(released.filter((ms) => ms < retryAfterMs / 2).length).toBeGreaterThan(connections / 4);
});

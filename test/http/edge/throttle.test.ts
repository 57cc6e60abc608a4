import { setImmediate as turn } from 'node:timers/promises';

import { expect, it } from 'vitest';

import type { ClientConnection } from '../../../src/http/edge/connections.ts';
import { createThrottle } from '../../../src/http/edge/throttle.ts';

const retryAfterMs = 1_000;

function holdMany(count: number) {
  const released: number[] = [];
  const throttle = createThrottle();
  const startedAt = performance.now();
  for (let opened = 0; opened < count; opened++) {
    const socket = { pause: () => undefined, resume: () => released.push(performance.now() - startedAt) };
    throttle.hold({ socket, isHeld: false } as unknown as ClientConnection);
  }
  return released;
}

it('a client that honours Retry-After is never throttled, however long the turns of the event loop are', async () => {
  const turnMs = 60;
  const connections = 5_000;
  const released = holdMany(connections);
  let longestTurn = 0;
  while (released.length < connections) {
    const before = performance.now();
    await turn();
    while (performance.now() - before < turnMs);
    longestTurn = Math.max(longestTurn, performance.now() - before);
  }
  // The end of a turn sees a timer that was due within it.
  expect(Math.max(...released)).toBeLessThan(retryAfterMs + 2 * longestTurn);
});

it('a few connections are read again soon, and many one after the other', async () => {
  const few = holdMany(5);
  await expect.poll(() => few.length, { interval: 5 }).toBe(5);
  expect(Math.min(...few)).toBeLessThan(retryAfterMs / 4);
  const many = holdMany(1_000);
  await expect.poll(() => many.length).toBe(1_000);
  expect(Math.max(...many)).toBeGreaterThan(retryAfterMs / 4);
});

it('a connection is left unread for its time, however long the turn that decides it', async () => {
  let pausedAt = 0;
  const released = Promise.withResolvers<number>();
  const socket = {
    pause: () => (pausedAt = performance.now()),
    resume: () => released.resolve(performance.now()),
  };
  // After this turn, timers that are due run before what waits for the next turn.
  await turn();
  createThrottle().hold({ socket, isHeld: false } as unknown as ClientConnection);
  const before = performance.now();
  while (performance.now() - before < 60);
  const releasedAt = await released.promise;
  expect(pausedAt).toBeGreaterThan(0);
  expect(releasedAt - pausedAt).toBeGreaterThan(5);
});

import { setTimeout as pause } from 'node:timers/promises';

import type { Outgoing } from '../webhooks/outgoing.ts';

const turnMs = 1;
const betweenTurnsMs = 2;

/** Spreads simultaneous deliveries over time, so that requests to the service do not wait for all of them. */
export function inTurns(outgoing: Outgoing): Outgoing {
  let last: Promise<unknown> = Promise.resolve();
  let turnEnds = 0;
  const turn = async (): Promise<void> => {
    if (performance.now() < turnEnds) return;
    await pause(betweenTurnsMs);
    turnEnds = performance.now() + turnMs;
  };
  const post: Outgoing['post'] = async (...given) => {
    await (last = last.then(turn));
    return outgoing.post(...given);
  };
  return { ...outgoing, post };
}

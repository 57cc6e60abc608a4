import type { IncomingMessage, ServerResponse } from 'node:http';

import type { FastifyInstance } from 'fastify';

import type { Store } from '../store.ts';
import type { Arrival, expressLane } from './express-lane.ts';

/**
 * Lets the lane take what it can, and hands the other requests to the app. For all requests that arrive in one turn
 * of the event loop the store is asked once for its version, which takes two system calls (up to 20 µs beside a busy
 * server).
 */
export function meetArrivals(
  app: FastifyInstance,
  store: Pick<Store, 'version'>,
  take: ReturnType<typeof expressLane>,
  isStopping: () => boolean,
): void {
  const [handle] = app.server.listeners('request');
  const meetOne = async (arrival: Arrival, version: number | undefined) => {
    if (!isStopping() && (await take(arrival, version))) return;
    handle?.call(app.server, arrival.request, arrival.response);
  };
  let arrived: Arrival[] = [];
  const meet = () => {
    const arrivals = arrived;
    arrived = [];
    // After all of them have arrived: what it tells is true for each.
    const version = versionOf(store);
    for (const arrival of arrivals) void meetOne(arrival, version);
  };
  app.server.removeAllListeners('request');
  app.server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (arrived.push({ request, response, at: performance.now() }) === 1) setImmediate(meet);
  });
}

function versionOf(store: Pick<Store, 'version'>): number | undefined {
  try {
    return store.version();
  } catch {
    // Whoever asks the store for more is told why it does not answer.
    return undefined;
  }
}

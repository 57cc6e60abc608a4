import type { IncomingMessage, ServerResponse } from 'node:http';

import { hashToken } from '../../api-keys/token.ts';
import { networkOf } from '../client-address.ts';
import { bearerToken } from '../headers.ts';
import type { ClientConnection } from './connections.ts';
import type { Limits } from './limits.ts';

export interface Arrival {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly at: number;
  /** Since when its answer is waited for: `at` until the pipeline sets another time. */
  awaitedSince: number;
  readonly tokenHash: string | undefined;
  exchange: { giveUp(code: 'unavailable' | 'request_timeout'): void } | undefined;
  readonly connection: ClientConnection;
  readonly client: Client;
  /** Probes are never shed, or a balancer would move the load to processes as busy; they take no place of others. */
  readonly isProbe: boolean;
  stage: 'waiting' | 'begun' | 'late' | 'left';
  index: number;
  /** Waits for an event: it takes no place of others, and has no time limit. */
  isWaiting: boolean;
  readonly totals: Totals;
}

interface Totals {
  unknown: number;
  probing: number;
  waiting: number;
}

/** A known key, or else a network: anybody can send another made-up token each time. */
interface Client {
  readonly name: string;
  readonly isKnown: boolean;
  underWay: number;
  waiting: number;
}

type Begin = (arrival: Arrival) => Promise<void>;

export function setWaiting(arrival: Arrival, isWaiting: boolean): void {
  if (arrival.isWaiting === isWaiting) return;
  arrival.isWaiting = isWaiting;
  arrival.awaitedSince = isWaiting ? Infinity : performance.now();
  const more = isWaiting ? 1 : -1;
  arrival.client.waiting += more;
  arrival.totals.waiting += more;
}

export function createAdmission(limits: Limits, isKnownKey: (tokenHash: string) => boolean, begin: Begin) {
  const { inFlightMax, fewMax } = limits;
  const clients = new Map<string, Client>();
  // No Set: as requests come and go, its outgrown tables would keep garbage until a full collection.
  const underWay: Arrival[] = [];
  const queue: Arrival[] = [];
  const schedule = createTurns(queue, limits, begin);
  const totals: Totals = { unknown: 0, probing: 0, waiting: 0 };

  const clientOf = (tokenHash: string | undefined, { socket }: IncomingMessage): Client => {
    const isKnown = tokenHash !== undefined && isKnownKey(tokenHash);
    const name = isKnown ? tokenHash : networkOf(socket.remoteAddress ?? '');
    return clients.get(name) ?? { name, isKnown, underWay: 0, waiting: 0 };
  };
  return {
    arrive: (request: IncomingMessage, response: ServerResponse, connection: ClientConnection): Arrival => {
      const token = bearerToken(request.headers.authorization);
      const tokenHash = token === undefined ? undefined : hashToken(token);
      const client = clientOf(tokenHash, request);
      const at = performance.now();
      const fresh = { exchange: undefined, stage: 'waiting', index: 0, isWaiting: false, totals } as const;
      const isProbe = /^\/(?:livez|readyz)\/?$/.test(request.url ?? '');
      return { request, response, at, awaitedSince: at, tokenHash, connection, client, isProbe, ...fresh };
    },
    /** One client leaves half of the room to others, and so do all without a known key. */
    isFullFor: ({ isKnown, underWay: own, waiting }: Client): boolean =>
      underWay.length - totals.probing - totals.waiting >= inFlightMax ||
      own - waiting >= inFlightMax / 2 ||
      (!isKnown && totals.unknown >= inFlightMax / 2),
    isFlood: ({ isKnown, underWay: own }: Client): boolean => !isKnown && own > fewMax,
    enter: (arrival: Arrival): void => {
      const { client } = arrival;
      queue.push(arrival);
      arrival.index = underWay.push(arrival) - 1;
      clients.set(client.name, client);
      client.underWay++;
      if (arrival.isProbe) totals.probing++;
      else if (!client.isKnown) totals.unknown++;
      schedule(arrival.at);
    },
    leave: (arrival: Arrival): void => {
      if (arrival.stage === 'left') return;
      arrival.stage = 'left';
      setWaiting(arrival, false);
      const { client, index } = arrival;
      const last = underWay.pop();
      if (last && last !== arrival) {
        underWay[index] = last;
        last.index = index;
      }
      if (--client.underWay === 0) clients.delete(client.name);
      if (arrival.isProbe) totals.probing--;
      else if (!client.isKnown) totals.unknown--;
    },
    underWay: (): readonly Arrival[] => underWay,
    inFlight: () => underWay.length - totals.waiting,
  };
}

export type Admission = ReturnType<typeof createAdmission>;

/** Begins requests once the sockets of this turn of the event loop are read, some at a time. `begin` never rejects. */
function createTurns(queue: Arrival[], limits: Limits, begin: Begin) {
  let isScheduled = false;
  const beginUntil = (endsAt: number) => {
    for (let begun = 0; begun < limits.begunTogetherMax; begun++) {
      const arrival = queue.shift();
      if (!arrival) return;
      void begin(arrival);
    }
    // Send the answers that are ready before more requests begin.
    queueMicrotask(() => process.nextTick(goOn, endsAt));
  };
  const goOn = (endsAt: number) => {
    if (performance.now() < endsAt) beginUntil(endsAt);
    else schedule();
  };
  const beginSome = () => beginUntil(performance.now() + limits.turnMs);
  const onTurn = () => {
    isScheduled = false;
    beginSome();
  };
  const schedule = () => {
    if (!isScheduled) setImmediate(onTurn);
    isScheduled = true;
  };
  const isReadingLong = (now: number) => {
    if (queue.length < limits.readTogetherMax) return false;
    return now - (queue[0]?.at ?? now) > limits.readTogetherMs;
  };
  return (now: number): void => {
    schedule();
    if (isReadingLong(now)) process.nextTick(beginSome);
  };
}

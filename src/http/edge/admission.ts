import { hash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

import { LRUCache } from 'lru-cache';

import { bearerToken } from '../bearer-token.ts';
import { networkOf } from '../limits/networks.ts';
import type { Connection } from './connections.ts';
import type { Limits } from './limits.ts';

const knownKeysMax = 10_000;

/** A request as it came, and where its answer goes. */
export interface Arrival {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** `performance.now()` when it came. */
  readonly at: number;
  /** SHA-256 of its bearer token in base64; undefined without one. */
  readonly tokenHash: string | undefined;
  // All that follows is the edge's own.
  readonly connection: Connection;
  readonly caller: Caller;
  stage: 'waiting' | 'begun' | 'late';
  /** Its index among those under way. */
  place: number;
}

/** A known key, or else a network: anybody can send another made-up token each time. */
interface Caller {
  readonly name: string;
  readonly isKnown: boolean;
  underWay: number;
}

/** Decides which requests come in and which is next, by what is under way now. */
export function openAdmission({ inFlightMax, fewMax }: Limits) {
  const knownKeys = new LRUCache<string, true>({ max: knownKeysMax });
  const callers = new Map<string, Caller>();
  // No Set: as requests come and go, its outgrown tables would keep garbage until a full collection.
  const underWay: Arrival[] = [];
  const few: Arrival[] = [];
  const many: Arrival[] = [];
  let unknown = 0;

  const callerOf = (tokenHash: string | undefined, address: string): Caller => {
    const isKnown = tokenHash !== undefined && knownKeys.get(tokenHash) === true;
    const name = isKnown ? tokenHash : networkOf(address);
    return callers.get(name) ?? { name, isKnown, underWay: 0 };
  };
  return {
    identify: (request: IncomingMessage, response: ServerResponse, connection: Connection): Arrival => {
      const token = bearerToken(request.headers.authorization);
      const tokenHash = token === undefined ? undefined : hash('sha256', token, 'base64');
      const caller = callerOf(tokenHash, request.socket.remoteAddress ?? '');
      const at = performance.now();
      return { request, response, at, tokenHash, connection, caller, stage: 'waiting', place: 0 };
    },
    learn: ({ tokenHash, caller, connection }: Arrival): void => {
      connection.isFlooding = false;
      if (tokenHash !== undefined && !caller.isKnown) knownKeys.set(tokenHash, true);
    },
    /** One caller leaves half of the room to others, and so do all without a known key. */
    isFullFor: ({ isKnown, underWay: own }: Caller): boolean =>
      underWay.length >= inFlightMax || own >= inFlightMax / 2 || (!isKnown && unknown >= inFlightMax / 2),
    isFlood: ({ isKnown, underWay: own }: Caller): boolean => !isKnown && own > fewMax,
    enter: (arrival: Arrival): void => {
      const { caller } = arrival;
      (caller.underWay < fewMax ? few : many).push(arrival);
      arrival.place = underWay.push(arrival) - 1;
      callers.set(caller.name, caller);
      caller.underWay++;
      if (!caller.isKnown) unknown++;
    },
    /** Requests of callers with few under way come first. */
    next: (): Arrival | undefined => few.shift() ?? many.shift(),
    waiting: () => few.length + many.length,
    /** When the next one came. */
    nextAt: () => (few[0] ?? many[0])?.at,
    leave: (arrival: Arrival): void => {
      const { caller, place } = arrival;
      const last = underWay.pop();
      if (last && last !== arrival) {
        underWay[place] = last;
        last.place = place;
      }
      if (--caller.underWay === 0) callers.delete(caller.name);
      if (!caller.isKnown) unknown--;
    },
    /** In no order. */
    underWay: (): readonly Arrival[] => underWay,
  };
}

export type Admission = ReturnType<typeof openAdmission>;

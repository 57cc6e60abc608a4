import type { IncomingMessage, ServerResponse } from 'node:http';

import type { ShedReason } from '../../observability/access-log.ts';
import type { WhoAsks } from './callers.ts';

/** What may be under way at once: more would only wait for one another, 100 ms at a tenth of one each. */
const inFlightMax = 1_000;
/** One caller leaves room for the others. */
const ofOneCallerMax = inFlightMax / 2;
/** All that come without a key that is known to be good leave as much room to those with one. */
const ofUnknownMax = inFlightMax / 2;
/** Who has no more than this under way does not flood, and goes first. */
const fewMax = 4;
/** For how long the one that is next may have waited; a busy machine may not let a process run for a quarter of it. */
const waitMaxMs = 1_000;
const lookedAgainAfterMs = 10;
/** So many that are gone are dropped together. */
const droppedTogether = 1_024;

/** A request and where its answer goes, as they came from the socket. */
export interface Arrival {
  request: IncomingMessage;
  response: ServerResponse;
  /** On the clock of `performance.now()`. */
  at: number;
  caller: WhoAsks;
  /** Whether the app has it, which answers it in time. */
  isWithApp: boolean;
  /** Whether its connection is to be left unread for a while once it is answered. */
  isOfFlood?: boolean;
  /** Where it is kept while it is under way. */
  place?: number | undefined;
}

/**
 * Decides who may come in, and who is next. It looks at what is there and not at what was measured over a time: what
 * has lately been too much says nothing of this request, and made to decide it lets everybody in and nobody by turns.
 */
export function openAdmission() {
  // No Set of requests that come and go: the tables that it has outgrown point to those that follow, and once one of them
  // is old none that follows is given back before the next full collection, nor any request in them. That took 14 µs of
  // collecting an answer, and twice the heap.
  const places: (Arrival | undefined)[] = [];
  const free: number[] = [];
  const perCaller = new Map<string, number>();
  const few = queue();
  const many = queue();
  let unknown = 0;
  let lookedAt = 0;

  const leave = (arrival: Arrival) => {
    if (arrival.place === undefined) return;
    places[arrival.place] = undefined;
    free.push(arrival.place);
    arrival.place = undefined;
    const { isKnown, name } = arrival.caller;
    if (!isKnown) unknown--;
    const left = (perCaller.get(name) ?? 1) - 1;
    if (left === 0) perCaller.delete(name);
    else perCaller.set(name, left);
  };
  /** Frees the places of those whose answer is given though it is not all sent, or for whom nobody waits. */
  const look = (now: number) => {
    lookedAt = now;
    for (const arrival of places) {
      if (arrival && (arrival.response.writableEnded || arrival.request.socket.destroyed)) leave(arrival);
    }
  };
  const isTooMuch = ({ name, isKnown }: WhoAsks) =>
    places.length - free.length >= inFlightMax ||
    (perCaller.get(name) ?? 0) >= ofOneCallerMax ||
    (!isKnown && unknown >= ofUnknownMax);
  const isRefused = (caller: WhoAsks, now: number) => {
    if (!isTooMuch(caller)) return false;
    if (now - lookedAt > lookedAgainAfterMs) look(now);
    return isTooMuch(caller);
  };

  return {
    /** Lets it in, or says why not. */
    enter: (arrival: Arrival): ShedReason | undefined => {
      const { caller, at } = arrival;
      if (isRefused(caller, at)) return 'in_flight';
      const others = perCaller.get(caller.name) ?? 0;
      const own = others < fewMax ? few : many;
      if (at - own.headAt(at) > waitMaxMs) return 'event_loop';
      arrival.place = free.pop() ?? places.length;
      places[arrival.place] = arrival;
      perCaller.set(caller.name, others + 1);
      if (!caller.isKnown) unknown++;
      own.push(arrival);
      return undefined;
    },
    isFlooding: ({ name }: WhoAsks) => (perCaller.get(name) ?? 0) > fewMax,
    next: () => few.shift() ?? many.shift(),
    /** How many have not begun. */
    waiting: () => few.length() + many.length(),
    /** When the one that has waited longest came; `now` where none waits. */
    headAt: (now: number) => Math.min(few.headAt(now), many.headAt(now)),
    /** Its answer is given. */
    leave,
    /** Those under way, in no order, without those that have left unnoticed. */
    underWay: (now: number): Arrival[] => {
      look(now);
      return places.filter((one) => one !== undefined);
    },
  };
}

/** First in, first out, moving what is left only now and then. */
function queue() {
  let waiting: (Arrival | undefined)[] = [];
  let first = 0;
  const length = () => waiting.length - first;
  return {
    length,
    push: (arrival: Arrival) => void waiting.push(arrival),
    /** When the one that is next came. */
    headAt: (now: number) => waiting[first]?.at ?? now,
    shift: (): Arrival | undefined => {
      const arrival = waiting[first];
      if (!arrival) return undefined;
      waiting[first++] = undefined;
      if (length() === 0 || first === droppedTogether) {
        waiting = waiting.slice(first);
        first = 0;
      }
      return arrival;
    },
  };
}

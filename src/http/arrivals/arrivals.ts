import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

import type { FastifyInstance } from 'fastify';

import type { Log, OnAnswered } from '../../observability/access-log.ts';
import type { Store } from '../../store.ts';
import { withinCidrs } from '../../values/cidr.ts';
import { type Arrival, openAdmission } from './admission.ts';
import { rememberGoodKeys } from './callers.ts';
import { requestsOfConnectionMax, watchConnections } from './connections.ts';
import type { expressLane } from './express-lane.ts';
import { openHoldingBack } from './holding-back.ts';
import { openPipelining } from './pipelining.ts';
import { turnAway } from './shedding.ts';

declare module 'node:http' {
  interface IncomingMessage {
    /** When it came, on the clock of `performance.now()`; undefined where it came past the sockets. */
    arrivedAt?: number;
    /** Told as soon as its key is found to be good. */
    onGoodKey?: () => void;
  }
}
declare module 'node:net' {
  interface Socket {
    /** How many requests have come on it. */
    requests?: number;
  }
}

/** As many are begun one after the other; then those that need not wait are answered before more are begun. */
const begunTogether = 64;
/** How long a turn goes on beginning requests before it is looked who else has come. */
const turnMs = 5;
/** Fewer are begun at the end of their turn, however long it is: with 64 connections that answers a fifth more a second. */
const readTogetherMin = 128;
/**
 * How long a request waits for the others of its turn to be read. What was read long before it is answered has left the
 * caches by then: 1,500 connections that ask at once got 0.9 of the peak goodput with 20 ms, and 1.1 with 3.
 */
const readingMs = 3;
/** Where no answer is given at once, it only makes the others be read later, and who is one too many told so later. */
const readingMsWithoutVersion = 20;
const answerWithinMs = 5_000;
const lookedEveryMs = 500;
/** Of the ten seconds for a stop. */
const stopWithinMs = 7_000;
const tooManyRequests = 429;
/** Who is busy is neither dead nor to be taken out, which would leave its callers to others that are as busy. */
const probes: ReadonlySet<string> = new Set(['/livez', '/readyz']);

interface ArrivalOptions {
  isStopping: () => boolean;
  onAnswered: OnAnswered;
  /** Origins that browsers may call from. */
  origins: readonly string[];
  /** CIDRs of proxies, whose connections are of many callers. */
  proxies: readonly string[];
  log: Log;
}

/**
 * Meets every request: turns it away where too many are there (probes never), else lets the lane take what it can,
 * and hands the others to the app. For all requests of one turn of the event loop the store is asked once for its
 * version, which takes two system calls (up to 20 µs beside a busy server).
 */
export function meetArrivals(
  app: FastifyInstance,
  store: Pick<Store, 'version'>,
  take: ReturnType<typeof expressLane>,
  { isStopping, onAnswered, origins, proxies, log }: ArrivalOptions,
): void {
  const admission = openAdmission();
  const holdingBack = openHoldingBack();
  const isProxy = withinCidrs(proxies);
  const pipelining = openPipelining();
  const goodKeys = rememberGoodKeys();
  const waitMs = versionOf(store) === undefined ? readingMsWithoutVersion : readingMs;
  const connections = watchConnections(app.server, log);
  const [handle] = app.server.listeners('request');
  const handOver = ({ request, response }: Arrival) => {
    connections.followBody(request);
    handle?.call(app.server, request, response);
  };
  const meetOne = async (arrival: Arrival, version: number | undefined) => {
    const { request, response } = arrival;
    // Nobody waits for it: the connection is gone, or ends with an answer before it.
    if (request.socket.destroyed || request.socket.writableEnded) return admission.leave(arrival);
    if (!isStopping() && (await take(arrival, version))) return admission.leave(arrival);
    // Else it was answered meanwhile, as late.
    if (response.headersSent) return;
    arrival.isWithApp = true;
    request.arrivedAt = arrival.at;
    response.once('close', () => {
      admission.leave(arrival);
      // The system lets in one connection a turn: those that ask again at once would keep all others waiting at the door.
      // Not before it is answered, as Node then reads on.
      const isFlood = arrival.isOfFlood === true || response.statusCode === tooManyRequests;
      if (isFlood && !isProxy(request.socket.remoteAddress ?? '')) holdingBack.hold(request.socket);
    });
    handOver(arrival);
  };

  const beginSome = (endsAt: number, version: number | undefined) => {
    for (let begun = 0; begun < begunTogether; begun++) {
      const arrival = admission.next();
      if (!arrival) return;
      void meetOne(arrival, version);
    }
    if (admission.waiting() === 0) return;
    // Once all that is answered at once is answered.
    queueMicrotask(() => process.nextTick(goOn, endsAt, version));
  };
  const goOn = (endsAt: number, version: number | undefined) => {
    if (performance.now() < endsAt) beginSome(endsAt, version);
    else schedule();
  };
  // What the version tells is true for all that have arrived by now.
  const meet = () => beginSome(performance.now() + turnMs, versionOf(store));
  let isScheduled = false;
  const meetScheduled = () => {
    isScheduled = false;
    meet();
  };
  // After all of a turn have arrived.
  const schedule = () => {
    if (!isScheduled) setImmediate(meetScheduled);
    isScheduled = true;
  };

  app.server.removeAllListeners('request');
  app.server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (pipelining.isTooMuch(request, response)) return;
    const caller = goodKeys.whoAsks(request);
    const { keyName, isKnown } = caller;
    if (keyName !== undefined && !isKnown) request.onGoodKey = () => goodKeys.learn(keyName);
    const arrival: Arrival = { request, response, at: performance.now(), caller, isWithApp: false };
    if (isLastOf(request.socket)) response.shouldKeepAlive = false;
    // Where many connections have something to read, the turn may have seconds to go.
    if (admission.waiting() >= readTogetherMin && arrival.at - admission.headAt(arrival.at) > waitMs)
      process.nextTick(meet);
    const shed = admission.enter(arrival);
    if (shed === undefined) {
      schedule();
      arrival.isOfFlood = !isKnown && admission.isFlooding(caller);
    } else if (probes.has(request.url ?? '')) {
      handOver(arrival);
      // Else whoever floods would do it so.
      holdingBack.hold(request.socket);
    } else {
      connections.followBody(request);
      turnAway(arrival, origins, onAnswered, shed);
      holdingBack.hold(request.socket);
    }
  });

  const look = () => {
    const now = performance.now();
    for (const arrival of admission.underWay(now)) {
      if (arrival.isWithApp || now - arrival.at < answerWithinMs) continue;
      admission.leave(arrival);
      turnAway(arrival, origins, onAnswered);
    }
  };
  const timer = setInterval(look, lookedEveryMs).unref();
  let cutOff: NodeJS.Timeout | undefined;
  app.addHook('preClose', async () => {
    holdingBack.stop();
    cutOff = setTimeout(connections.cutOff, stopWithinMs);
  });
  app.addHook('onClose', async () => {
    clearInterval(timer);
    clearTimeout(cutOff);
    connections.stop();
  });
}

function isLastOf(socket: Socket): boolean {
  const requests = (socket.requests ?? 0) + 1;
  socket.requests = requests;
  return requests >= requestsOfConnectionMax;
}

function versionOf(store: Pick<Store, 'version'>): number | undefined {
  try {
    return store.version();
  } catch {
    // Whoever asks the store for more is told why it does not answer.
    return undefined;
  }
}

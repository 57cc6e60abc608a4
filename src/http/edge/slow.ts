import type { Socket } from 'node:net';

import type { Admission, Arrival } from './admission.ts';
import { bytesTaken, type ClientConnection, type Connections } from './connections.ts';
import type { Limits } from './limits.ts';

export function watchSlow(connections: Connections, admission: Admission, limits: Limits): NodeJS.Timeout {
  const look = () => {
    const now = performance.now();
    for (const connection of connections.all()) endIfSlow(connection, now, limits);
    for (const arrival of admission.underWay().slice()) {
      const { request, response, stage } = arrival;
      const isBodyLate = isItsBodyLate(arrival, now, limits);
      const isLate = now - arrival.awaitedSince >= limits.answerWithinMs || request.socket.destroyed;
      if (stage === 'begun' && (isBodyLate || isLate)) {
        arrival.stage = 'late';
        arrival.exchange?.giveUp(isBodyLate ? 'request_timeout' : 'unavailable');
      }
      if (stage === 'late' && (response.writableEnded || request.socket.destroyed)) admission.leave(arrival);
    }
  };
  return setInterval(look, limits.lookEveryMs).unref();
}

function endIfSlow(connection: ClientConnection, now: number, limits: Limits): void {
  const { socket, body, waiting } = connection;
  if (body?.request.complete) connection.body = undefined;
  else if (body && isBodyTooMuch(socket, body, now, limits)) socket.destroy();

  const isEnded = socket.writableFinished;
  if (socket.writableLength === 0 && !isEnded) {
    connection.waiting = undefined;
    return;
  }
  const taken = bytesTaken(socket);
  if (!waiting || taken - waiting.taken >= limits.takenBytesMin) connection.waiting = { since: now, taken };
  else if (isEnded && now - waiting.since >= limits.lingerMs) socket.destroy();
  // A reset: the system would go on offering megabytes that nobody takes.
  else if (!isEnded && now - waiting.since >= limits.takenWithinMs) socket.resetAndDestroy();
}

function isItsBodyLate({ request, connection: { body } }: Arrival, now: number, { bodyWithinMs }: Limits): boolean {
  return body?.request === request && !request.complete && now - body.since >= bodyWithinMs;
}

// The answer to a late body goes out first.
function isBodyTooMuch(socket: Socket, body: NonNullable<ClientConnection['body']>, now: number, limits: Limits) {
  const { bodyWithinMs, lingerMs, bodyBytesMax } = limits;
  return now - body.since >= bodyWithinMs + lingerMs || socket.bytesRead - body.readBefore > bodyBytesMax;
}

import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

import type { seededRandom } from '../../test/support/random.ts';

/** Stands between a proxy and Roster, and loses what it should pass on. */
export interface FaultyRelay extends AsyncDisposable {
  port: number;
  /** How often each fault has come. */
  faults: Record<Fault, number>;
}

type Fault = 'request lost' | 'answer lost' | 'answer cut' | 'answer late';

const lateByMs = 200;

/** Of a hundred packets `each` meet each fault; a fault but lateness ends the connection. */
export async function openFaultyRelay(
  port: number,
  random: ReturnType<typeof seededRandom>,
  each: number,
): Promise<FaultyRelay> {
  const faults: FaultyRelay['faults'] = { 'request lost': 0, 'answer lost': 0, 'answer cut': 0, 'answer late': 0 };
  const isFaulty = (fault: Fault) => {
    const comes = random.below(100) < each;
    if (comes) faults[fault]++;
    return comes;
  };
  const open = new Set<Socket>();
  const server = createServer((front) => {
    const back = connect(port, '127.0.0.1');
    const end = () => {
      front.destroy();
      back.destroy();
    };
    front.on('data', (bytes) => void (isFaulty('request lost') ? end() : back.write(bytes)));
    let passedOn = Promise.resolve();
    back.on('data', (bytes) => {
      if (isFaulty('answer lost')) return end();
      if (isFaulty('answer cut')) return void front.write(bytes.subarray(0, bytes.length >> 1), end);
      if (!isFaulty('answer late')) return void front.write(bytes);
      back.pause();
      passedOn = pause(lateByMs).then(() => {
        front.write(bytes);
        back.resume();
      });
    });
    back.on('close', () => void passedOn.then(() => front.end()));
    front.on('close', end);
    for (const socket of [front, back]) {
      open.add(socket);
      socket
        .on('error', () => undefined)
        .on('close', () => {
          open.delete(socket);
          end();
        });
    }
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    faults,
    [Symbol.asyncDispose]: async () => {
      for (const socket of open) socket.destroy();
      server.close();
    },
  };
}

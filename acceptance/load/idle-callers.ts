/** The process of the idle connections: opens them, asks once on each, holds them, and tells how many were left. */
import { connect } from 'node:net';

export interface IdlePlan {
  port: number;
  request: string;
  connections: number;
  seconds: number;
}

export interface IdleReport {
  /** Those that were answered with 200 and then held. */
  held: number;
  dropped: number;
}

const openedTogether = 200;

process.once('message', (plan: IdlePlan) => void run(plan).then((report) => process.send?.(report)));

async function run({ port, request, connections, seconds }: IdlePlan): Promise<IdleReport> {
  let dropped = 0;
  const open = () =>
    new Promise<number>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => socket.write(request));
      socket.once('data', (chunk) => resolve(chunk.toString('latin1').startsWith('HTTP/1.1 200 ') ? 1 : 0));
      socket.on('error', () => undefined);
      socket.on('close', () => {
        dropped++;
        resolve(0);
      });
    });
  let held = 0;
  while (held < connections) {
    const answered = await Promise.all(Array.from({ length: Math.min(openedTogether, connections - held) }, open));
    const good = answered.reduce((sum, one) => sum + one, 0);
    held += good;
    if (good < answered.length) break;
  }
  await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
  return { held, dropped };
}

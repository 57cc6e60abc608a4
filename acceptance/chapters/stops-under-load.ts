import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

import { seededRandom } from '../../test/support/random.ts';
import type { Guarantee, Outcome, Trial } from '../guarantee.ts';
import { type Installation, populate, type Served } from '../installation.ts';
import { getRequest } from '../load/load.ts';

/** A SIGTERM at any moment, while callers ask without a pause. */
export const stopsUnderLoad: Guarantee = {
  name: 'stops under load',
  sizes: { smoke: 1, core: 3, full: 100 },
  engines: ['SQLite', 'PostgreSQL'],
  prove,
};

const callers = 12;
const endsWithinMs = 10_000;

async function prove({ install, size, seed }: Trial): Promise<Outcome> {
  const random = seededRandom(seed);
  const at = await install();
  const { token, paths } = await populate(at);
  const failures: string[] = [];
  let answered = 0;
  let inFlight = 0;
  let slowest = 0;
  for (let stop = 0; stop < size; stop++) {
    const outcome = await stopOnce(
      at,
      (index) => getRequest(paths[index % paths.length] ?? '', token).text,
      random.below(150),
    );
    answered += outcome.answered;
    inFlight += outcome.inFlight;
    slowest = Math.max(slowest, outcome.tookMs);
    failures.push(...outcome.failures.map((failure) => `stop ${stop}: ${failure}`));
  }
  // Else it was not under load.
  if (inFlight < size) failures.push(`only ${inFlight} requests were in flight at ${size} stops`);
  return {
    tried: size,
    measured: `${answered} answers, ${inFlight} awaited at the signal; slowest stop ${Math.round(slowest)} ms`,
    failures,
  };
}

async function stopOnce(at: Installation, request: (index: number) => string, afterMs: number) {
  const served = await at.serve({ ROSTER_RATE_LIMIT: '0', LOG_LEVEL: 'info' });
  const load = startCallers(served, request);
  await load.isOn;
  await pause(afterMs);
  const inFlight = load.signal();
  const signalledAt = performance.now();
  served.child.kill('SIGTERM');
  const impatience = setTimeout(() => served.child.kill('SIGKILL'), 2 * endsWithinMs);
  const { code, signal, stderr } = await served.ended;
  clearTimeout(impatience);
  const tookMs = performance.now() - signalledAt;
  await load.ended;
  const { failures } = load;
  if (code !== 0) failures.push(`it ended with ${code ?? signal}: ${stderr}`);
  if (tookMs > endsWithinMs) failures.push(`it took ${Math.round(tookMs)} ms to end`);
  return { answered: load.answered(), inFlight, tookMs, failures };
}

/** Each on a connection that is kept, until that ends. */
function startCallers({ port }: Served, request: (index: number) => string) {
  const failures: string[] = [];
  const on = Promise.withResolvers<void>();
  let answered = 0;
  let awaited = 0;
  let isSignalled = false;
  const call = (index: number) =>
    new Promise<void>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => ask())
        .setNoDelay(true)
        .setEncoding('latin1');
      let text: string | undefined;
      let wasSentBefore = true;
      const ask = () => {
        text = '';
        wasSentBefore = !isSignalled;
        awaited++;
        socket.write(request(index++));
      };
      socket.on('data', (chunk) => {
        text += String(chunk);
        const head = text?.indexOf('\r\n\r\n') ?? -1;
        const length = Number(/\r\ncontent-length: (\d+)/i.exec(text ?? '')?.[1]);
        if (text === undefined || head === -1 || text.length < head + 4 + length) return;
        if (!/^HTTP\/1.1 (200|503) /.test(text)) failures.push(`an answer was ${JSON.stringify(text)}`);
        if (text.startsWith('HTTP/1.1 503') && !isSignalled) failures.push('503 before the signal');
        const isLast = /\r\nconnection: close\r\n/i.test(text.slice(0, head + 2));
        text = undefined;
        awaited--;
        if (++answered === 10 * callers) on.resolve();
        if (!isLast) ask();
      });
      socket.on('error', () => undefined);
      socket.on('close', () => {
        // What was sent after the signal may meet a connection that is closed; what has begun must be whole.
        if (text !== undefined && (wasSentBefore || text !== '')) {
          failures.push(`a request sent ${wasSentBefore ? 'before' : 'after'} the signal got ${JSON.stringify(text)}`);
        }
        resolve();
      });
    });
  return {
    failures,
    isOn: on.promise,
    ended: Promise.all(Array.from({ length: callers }, (_, index) => call(index))),
    answered: () => answered,
    /** Returns how many wait for an answer. */
    signal: () => {
      isSignalled = true;
      return awaited;
    },
  };
}

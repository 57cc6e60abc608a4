import { setTimeout as pause } from 'node:timers/promises';

import { flawOf } from './verdict.ts';
import { openWire, type Place, type Wire, type WireAnswer } from './wire.ts';

/** What came back for some bytes. */
export interface Conversation {
  /** The answers to them, as far as any came. */
  answers: readonly WireAnswer[];
  /** Whether the connection was over, rather than still good for the request that followed. */
  ended: boolean;
  /** What is wrong whatever the bytes were; '' for nothing. */
  flaw: string;
}

/** One line of requests to one place, on a connection that is kept for as long as it lasts. */
export interface Line extends Disposable {
  /** `cutAt` is where the second of two packets begins. */
  say(bytes: Uint8Array, isHead?: boolean, cutAt?: number): Promise<Conversation>;
  /** On a connection of its own, which is gone when they are sent, or when something has come back. */
  hangUpAfter(bytes: Uint8Array, answers: 0 | 1): Promise<void>;
}

const answersMax = 20;
/** So that the other side has read one packet before the next. */
const betweenPacketsMs = 2;
let lines = 0;

/**
 * Each time a good request follows, and its answer is known by the id that it gave: what comes before that is for
 * the bytes, and a connection that does not give it, in its turn, must be over.
 */
export function openLine(place: Place, host: string): Line {
  const name = `line-${++lines}`;
  let said = 0;
  let wire: Wire | undefined;
  const say: Line['say'] = async (bytes, isHead = false, cutAt = 0) => {
    const id = `${name}.${++said}`;
    const follower = `GET /livez HTTP/1.1\r\nHost: ${host}\r\nX-Request-Id: ${id}\r\n\r\n`;
    wire ??= openWire(place);
    const all = Buffer.concat([bytes, Buffer.from(follower)]);
    if (cutAt > 0) {
      wire.send(all.subarray(0, cutAt));
      await pause(betweenPacketsMs);
    }
    wire.send(all.subarray(cutAt));
    const answers: WireAnswer[] = [];
    let flaw = '';
    while (answers.length < answersMax) {
      const answer = await wire.next(isHead && answers.length === 0);
      if (typeof answer === 'string') {
        wire.destroy();
        wire = undefined;
        return { answers, ended: true, flaw: answer === 'silent' ? 'no answer, and no end either' : flaw };
      }
      flaw ||= flawOf(answer, isHead && answers.length === 0);
      if (answer.headers['x-request-id'] === id) return { answers, ended: false, flaw };
      answers.push(answer);
    }
    wire.destroy();
    wire = undefined;
    return { answers, ended: true, flaw: 'more answers than requests' };
  };
  const hangUpAfter: Line['hangUpAfter'] = async (bytes, answers) => {
    const one = openWire(place);
    await one.sent(bytes);
    if (answers === 1) await one.next();
    await one.hangUp();
  };
  return { say, hangUpAfter, [Symbol.dispose]: () => wire?.destroy() };
}

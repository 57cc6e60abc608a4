import { setTimeout as pause } from 'node:timers/promises';

import { describe, expect, it } from 'vitest';

import { openPace } from '../../src/outgoing/requests.ts';
import { seededRandom } from '../support/random.ts';

const minuteMs = 300;
const rate = 15;

describe('the pace of requests', () => {
  it('is never above the rate in any minute, wherever it begins, though requests take differently long', async () => {
    const random = seededRandom(1);
    const pace = openPace(rate, minuteMs);
    const { signal } = new AbortController();
    const arrivals: number[] = [];
    for (let request = 0; request < 3 * rate; request++) {
      await pace.turn(signal);
      // The source may count it at its beginning or at its end.
      await pause(random.pick([0, 0, 0, 25]));
      arrivals.push(performance.now());
      pace.ended();
    }
    for (const first of arrivals) {
      const within = arrivals.filter((time) => time >= first && time < first + minuteMs);
      expect(within.length).toBeLessThanOrEqual(rate);
    }
    // Three of them are needed; a busy machine is late.
    const minutes = ((arrivals.at(-1) ?? 0) - (arrivals[0] ?? 0)) / minuteMs;
    expect(minutes).toBeLessThan(10);
  });

  it('waits no longer once the signal says so', async () => {
    const stopping = new AbortController();
    const waiting = openPace(1).turn(stopping.signal);
    stopping.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
  });
});

import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';
import { describe, expect, it, vi } from 'vitest';

import { type CountsAsked, primaryCounts } from '../../src/http/limits/primary-counts.ts';
import { openWorkerCounts } from '../../src/http/limits/worker-counts.ts';

/** Workers that ask one primary, which may hold its answers back or be gone. */
function workersOn(points: number) {
  const count = primaryCounts();
  const asked: CountsAsked[] = [];
  const logged: string[] = [];
  const held: (() => void)[] = [];
  const primary = {
    isThere: true,
    hangs: false,
    asked,
    logged,
    release: () => held.splice(0).forEach((one) => one()),
  };
  const log = { info: (text: string) => logged.push(text), warn: (text: string) => logged.push(text) };
  const open = () => {
    const counts = openWorkerCounts((question) => {
      asked.push(question);
      const answer = () => counts.receive(count(question));
      if (primary.hangs) held.push(answer);
      else setImmediate(answer);
      return primary.isThere;
    }, log as never);
    const limiter = counts.limiter(new RateLimiterMemory({ points, duration: 60, keyPrefix: 'key' }));
    const consume = (key = 'k') =>
      limiter.consume(key).then(
        ({ remainingPoints }) => remainingPoints,
        ({ msBeforeNext }: RateLimiterRes) => (msBeforeNext > 59_000 ? 'refused' : msBeforeNext),
      );
    return { counts, consume };
  };
  return { primary, open };
}

const range = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, i) => from - i);

describe('the counts of workers', () => {
  it('give each of many requests at once a number of its own, in one message a turn', async () => {
    const { primary, open } = workersOn(30);
    const [one, two] = [open(), open()];
    const counts = await Promise.all(
      Array.from({ length: 40 }, (_, i) => (i % 2 === 0 ? one : two).consume()),
    );
    expect(counts.filter((left) => typeof left === 'number').toSorted((a, b) => b - a)).toEqual(range(29, 0));
    expect(counts.filter((left) => left === 'refused')).toHaveLength(10);
    expect(primary.asked.map(({ asks }) => asks)).toEqual([[['key:k', 20, 60]], [['key:k', 20, 60]]]);
    expect(await one.consume('other')).toBe(29);
  });

  it('ask nothing more about a window that is used up', async () => {
    const { primary, open } = workersOn(1);
    const { consume } = open();
    expect([await consume(), await consume(), await consume(), await consume()]).toEqual([
      0,
      'refused',
      'refused',
      'refused',
    ]);
    expect(primary.asked).toHaveLength(2);
  });

  it('are counted by the worker itself while the primary hangs, waiting once, and shared again when it answers', async () => {
    const { primary, open } = workersOn(5);
    const { counts, consume } = open();
    primary.hangs = true;
    const startedAt = performance.now();
    expect([await consume(), await consume(), await consume()]).toEqual([4, 3, 2]);
    expect(performance.now() - startedAt).toBeGreaterThan(400);
    expect([counts.isShared(), counts.fallbacks(), primary.asked.length]).toEqual([false, 3, 1]);
    primary.hangs = false;
    primary.release();
    expect([counts.isShared(), await consume()]).toEqual([true, 3]);
    expect(primary.logged).toEqual([
      'the primary does not answer: this worker counts for itself',
      'the primary answers again: the rate limit is shared again',
    ]);
  });

  it('are counted by the worker itself at once when the primary is gone', async () => {
    const { primary, open } = workersOn(5);
    primary.isThere = false;
    const { consume } = open();
    const startedAt = performance.now();
    expect([await consume(), await consume()]).toEqual([4, 3]);
    expect(performance.now() - startedAt).toBeLessThan(480);
  });

  it('begin anew when the window has ended, and names that are gone take no memory', () => {
    vi.useFakeTimers();
    const count = primaryCounts();
    const ask = (name: string) => count({ batch: 1, asks: [[name, 1, 60]] }).given[0]?.[0];
    expect([ask('a'), ask('a'), ask('b')]).toEqual([1, 2, 1]);
    vi.advanceTimersByTime(59_999);
    expect(ask('a')).toBe(3);
    vi.advanceTimersByTime(1);
    expect([ask('a'), ask('b')]).toEqual([1, 1]);
    vi.useRealTimers();
  });
});

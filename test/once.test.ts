import { expect, it } from 'vitest';

import { once } from '../src/values/once.ts';

it('work that is done once is done again only after it failed', async () => {
  let count = 0;
  const work = once(async () => {
    count++;
    if (count === 1) throw new Error('first');
    return count;
  });
  const both = await Promise.allSettled([work(), work()]);
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect([await work(), await work(), count]).toEqual([2, 2, 2]);
});

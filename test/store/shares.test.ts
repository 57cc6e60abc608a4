import { setTimeout as sleep } from 'node:timers/promises';

import { expect, it } from 'vitest';

import { fairShares } from '../../src/database/shares.ts';

it('a share gives the places of those who gave up to those who wait', async () => {
  const inShare = fairShares({ atOnce: 1, ofProject: 1, waiting: 2 });
  const { promise, resolve } = Promise.withResolvers<string>();
  const first = inShare('acme', () => promise);
  const gone = new AbortController();
  const given = [1, 2].map(() => inShare('acme', async () => 'late', gone.signal).catch((error: unknown) => error));
  await expect(inShare('acme', async () => 'refused')).rejects.toMatchObject({ code: 'unavailable' });
  gone.abort('gone');
  expect(await Promise.all(given)).toEqual(['gone', 'gone']);
  const live = inShare('acme', async () => 'live');
  await sleep(1);
  resolve('first');
  expect(await Promise.all([first, live])).toEqual(['first', 'live']);
});

import { setTimeout as sleep } from 'node:timers/promises';

import { describe, expect, it } from 'vitest';

import { AppError } from '../../src/errors.ts';
import type { Log } from '../../src/observability/access-log.ts';
import { openApp } from '../support/app.ts';
import { aProject } from '../support/people.ts';

/** An app whose store fails with what `fail` throws, and what it logs as errors. */
async function failing(fail: () => never) {
  const logged: (Record<string, unknown> & { msg: unknown })[] = [];
  const log: Log = {
    debug() {},
    info() {},
    warn() {},
    error: (fields: unknown, msg?: unknown) => void logged.push({ ...(fields as object), msg }),
  };
  const healthy = await openApp();
  const { token } = await aProject(healthy.store);
  const members = { ...healthy.store.members, list: async () => fail() };
  const server = await openApp({}, { ...healthy.store, members }, { log });
  const ask = async () => (await server.get('/v2/members', token)).status;
  return { ask, logged, [Symbol.asyncDispose]: () => healthy[Symbol.asyncDispose]() };
}

describe('the log of a store that is away', () => {
  it('has one sentence for a cause at once, then one a second with a count of the others', async () => {
    const cause = new Error('ECONNREFUSED');
    await using service = await failing(() => {
      throw new AppError('unavailable', 'The store cannot be used: it is away; start it.', { cause });
    });
    for (let i = 0; i < 5; i++) expect(await service.ask()).toBe(503);
    const line = {
      code: 'unavailable',
      since: expect.stringMatching(/^\d{4}-.*\+00:00$/),
      cause: 'ECONNREFUSED',
      msg: 'The store cannot be used: it is away; start it.',
    };
    expect(service.logged).toEqual([{ ...line, request_id: expect.any(String) }]);
    await expect.poll(() => service.logged, { timeout: 3_000 }).toHaveLength(2);
    expect(service.logged[1]).toEqual({ ...line, left_out: 4 });
    await sleep(1_200);
    expect(service.logged).toHaveLength(2);
    expect(await service.ask()).toBe(503);
    expect(service.logged).toHaveLength(3);
    expect(service.logged[2]?.['since']).toBe(service.logged[0]?.['since']);
    expect(JSON.stringify(service.logged)).not.toContain(' at ');
  });

  it('has a defect in full, each time', async () => {
    const defect = new TypeError('no such thing');
    await using service = await failing(() => {
      throw defect;
    });
    for (let i = 0; i < 2; i++) expect(await service.ask()).toBe(500);
    expect(service.logged.map(({ err, code }) => [err, code])).toEqual([
      [defect, 'internal'],
      [defect, 'internal'],
    ]);
  });
});

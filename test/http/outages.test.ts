import { afterEach, expect, it, vi } from 'vitest';

import { AppError } from '../../src/errors.ts';
import { outageTeller } from '../../src/http/outages.ts';
import { appOfFile, openApp } from '../support/app.ts';
import { aProject } from '../support/people.ts';

const logged: (Record<string, unknown> & { msg: unknown })[] = [];
const log = {
  debug() {},
  info() {},
  warn() {},
  error: (fields: unknown, msg?: unknown) => void logged.push({ ...(fields as object), msg }),
};
afterEach(() => {
  logged.length = 0;
  vi.useRealTimers();
});

const message = 'The store cannot be used: it is away; start it.';
const away = new AppError('unavailable', message, { cause: new Error('ECONNREFUSED') });
const healthy = appOfFile();

it('the log of a store that is away has one sentence for a cause at once, then one a second with a count of the others', () => {
  vi.useFakeTimers();
  const tell = outageTeller(log);
  for (let i = 0; i < 5; i++) tell(`request ${i}`, away);
  const since = expect.stringMatching(/^\d{4}-.*\+00:00$/);
  const line = { code: 'unavailable', since, cause: 'ECONNREFUSED', msg: message };
  expect(logged).toEqual([{ ...line, request_id: 'request 0' }]);
  vi.advanceTimersByTime(1_000);
  expect(logged[1]).toEqual({ ...line, left_out: 4 });
  vi.advanceTimersByTime(5_000);
  expect(logged).toHaveLength(2);
  tell('later', away);
  expect(logged[2]).toEqual({ ...line, since: logged[0]?.['since'], request_id: 'later' });
});

it.each([
  [away, 503, [{ code: 'unavailable', cause: 'ECONNREFUSED', msg: message }]],
  // A defect in full, each time.
  [new TypeError('no such thing'), 500, [{ code: 'internal' }, { code: 'internal' }]],
])('the log of a service whose store fails tells %s', async (error, status, lines) => {
  const { token } = await aProject(healthy.store);
  const members = { ...healthy.store.members, list: () => Promise.reject(error) };
  await using server = await openApp({}, { ...healthy.store, members }, { log });
  for (let i = 0; i < 2; i++) expect((await server.get('/v2/members', token)).status).toBe(status);
  expect(logged).toMatchObject(lines);
  expect(logged[0]?.['err']).toBe(status === 500 ? error : undefined);
});

import { createServer, type RequestListener } from 'node:http';
import { text } from 'node:stream/consumers';

import { describe, expect, it } from 'vitest';

import { type RequestLimits, type Request, send } from '../../src/outgoing/request.ts';
import { openRequests, retryAfterMs } from '../../src/outgoing/requests.ts';
import { listening } from '../support/listening.ts';

const limits: RequestLimits = { timeoutMs: 10_000, bytesMax: 1_000 };
const { signal } = new AbortController();
const sendTo = (request: Request, given: Partial<RequestLimits> = {}) => send(request, { ...limits, ...given }, signal);

async function aService(listener: RequestListener) {
  const service = await listening(createServer(listener));
  return { ...service, url: `${service.address}/` };
}

describe('an outgoing request', () => {
  it('has the method, headers and body that it is given', async () => {
    using service = await aService((request, response) => {
      const { method = '', headers } = request;
      void text(request).then((body) => response.end(JSON.stringify([method, headers['x-made-up'], body])));
    });
    const answer = await sendTo({ url: service.url, method: 'POST', headers: { 'x-made-up': 'yes' }, body: 'hello' });
    expect(answer).toMatchObject({ status: 200, text: '["POST","yes","hello"]' });
  });

  it('keeps nothing of an answer above the size limit', async () => {
    using service = await aService((_, response) => void response.end('x'.repeat(limits.bytesMax + 1)));
    expect(await sendTo({ url: service.url })).toMatchObject({ status: 200, text: undefined });
  });

  it('is sent again after as long as Retry-After says', async () => {
    const times: number[] = [];
    using service = await aService((_, response) => {
      times.push(performance.now());
      response.writeHead(times.length === 1 ? 429 : 200, { 'retry-after': '1' }).end();
    });
    await openRequests({ ...limits, signal, perMinute: 60_000 }).send({ url: service.url }, () => true);
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThan(990);
  });

  it('reads a Retry-After in seconds and as a date, and waits an hour at most', () => {
    const after = (value: string) => retryAfterMs({ 'retry-after': value });
    expect([after('2'), after('1000000'), after('soon')]).toEqual([2_000, 3_600_000, undefined]);
    expect(after(new Date(Date.now() + 60_000).toUTCString())).toBeGreaterThan(50_000);
    expect(after(new Date(0).toUTCString())).toBe(0);
  });
});

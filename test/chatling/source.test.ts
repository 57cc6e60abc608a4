import { describe, expect, it } from 'vitest';

import { openSource } from '../../src/chatling/source.ts';
import { openRequests, type RequestsOptions } from '../../src/outgoing/requests.ts';
import { aChatling, aFakeChatbot, type Fake, type Fault, fakeContacts } from '../support/chatling.ts';
import { scriptedServer } from '../support/scripted-server.ts';

const limits = { perMinute: 60_000, timeoutMs: 30_000, bytesMax: 1_048_576 };

const open = ({ baseUrl, key }: Pick<Fake, 'baseUrl' | 'key'>, given: Partial<RequestsOptions> = {}) =>
  openSource({ baseUrl, key, requests: openRequests({ ...limits, signal: new AbortController().signal, ...given }) });

const faults: Fault[] = ['limited', 'failing', 'cut', 'not JSON', 'without data', 'dropped', 'slow'];

describe('a source', () => {
  it('is asked again after every kind of bad answer, and says how long that took', async () => {
    const after = async (fault: Fault) => {
      let isFirst = true;
      await using fake = await aChatling({
        chatbots: [aFakeChatbot('1000000001', fakeContacts(26))],
        onRequest: (path) => {
          if (!path.endsWith('/contacts') || !isFirst) return undefined;
          isFirst = false;
          return fault;
        },
      });
      const source = await open(fake);
      expect(await source.contactPage('1000000001', 2), fault).toMatchObject({ items: [{}], lastPage: 2 });
      expect(source.counts.requests).toBe(fake.asked.length);
      return [fault, isFirst, source.counts.waitedMs > 200];
    };
    const ended = await Promise.all(faults.map(after));
    expect(ended).toEqual(faults.map((fault) => [fault, false, fault !== 'slow']));
  });

  it('is Chatling, which has no path that only Roster has', async () => {
    await using fake = await aChatling();
    const source = await open(fake);
    expect([source.isRoster, source.project]).toEqual([
      false,
      { name: 'Example Ltd', seatsMax: 5, chatbotsMax: 2_147_483_647 },
    ]);
    expect(await source.chatbot('unknown')).toBeUndefined();
  });

  it('gives all of a short list, in its order, though somebody is deleted between two pages', async () => {
    const members = Array.from({ length: 40 }, (_, index) => ({
      email: `member${index}@example.com`,
      status: 'Active',
      roles: index === 0 ? ['Owner'] : ['Editor'],
    }));
    let isFirst = true;
    await using fake = await aChatling({
      members,
      onRequest: (path, page) => {
        if (path.endsWith('/members') && page === 2 && isFirst) members.splice(3, 1);
        if (page === 2) isFirst = false;
      },
    });
    const source = await open(fake);
    expect(await source.members()).toEqual(members);
  });

  it.each([
    [401, 'refuses the key'],
    [403, 'may not read everything'],
    [302, 'redirects'],
    [422, 'answers 422'],
    [404, 'has no such API'],
  ])('that answers %i is given up at once, in a sentence without the key', async (status, sentence) => {
    const body = { status: 'error' };
    using elsewhere = await scriptedServer({ status, headers: { location: '/elsewhere' }, body });
    const opening = open({ baseUrl: `${elsewhere.address}/v2`, key: 'a-secret' });
    await expect(opening).rejects.toMatchObject({ code: 'unavailable', message: expect.stringContaining(sentence) });
    await expect(opening).rejects.not.toThrow('a-secret');
    expect(elsewhere.asked.map(({ headers }) => headers.authorization)).toEqual(['Bearer a-secret']);
  });

  it('says that somebody is gone by its own answer alone, not by that of a proxy', async () => {
    await using fake = await aChatling({ chatbots: [aFakeChatbot('1000000001', fakeContacts(3))] });
    const source = await open(fake);
    expect(await source.contact('1000000001', 'nobody')).toBeUndefined();
    const stopping = new AbortController();
    const other = await open(fake, { signal: stopping.signal, onWait: () => {} });
    fake.onRequest = () => 'nowhere';
    const asking = other.contact('1000000001', 'nobody');
    await expect.poll(() => fake.asked.length).toBeGreaterThan(9);
    stopping.abort(new Error('still asking'));
    await expect(asking).rejects.toThrow('still asking');
  });

  it('stops waiting at a signal, for the reason that it gives', async () => {
    await using fake = await aChatling({ onRequest: () => 'failing' });
    const stopping = new AbortController();
    const opening = open(fake, { signal: stopping.signal });
    setTimeout(() => stopping.abort(new Error('interrupted')), 20);
    await expect(opening).rejects.toThrow('interrupted');
  });
});

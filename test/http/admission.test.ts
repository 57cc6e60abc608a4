import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { describe, expect, it } from 'vitest';

import { createApiKey } from '../../src/api-keys/api-key.ts';
import { buildApp, type HttpSettings } from '../../src/http/app.ts';
import { type Arrival, openAdmission } from '../../src/http/arrivals/admission.ts';
import type { Answered } from '../../src/observability/access-log.ts';
import type { Store } from '../../src/store.ts';
import { noLimit } from '../support/app.ts';
import { openAsker } from '../support/asker.ts';
import { expectDocumented } from '../support/document.ts';
import { openStoreOfRun } from '../support/engines.ts';
import { aContact, aProject, vendorContactId } from '../support/people.ts';
import { exchange } from '../support/raw.ts';

function arrival(name: string, at: number, isKnown = true): Arrival {
  const caller = { keyName: undefined, isKnown, name };
  const request = { socket: { destroyed: false } } as IncomingMessage;
  return { request, response: { writableEnded: false } as ServerResponse, at, caller, isWithApp: false };
}

describe('what is let in', () => {
  it('is a thousand at once, half of them of one caller', () => {
    const admission = openAdmission();
    const enter = (caller: string) => admission.enter(arrival(caller, 0));
    for (let i = 0; i < 500; i++) expect(enter('a')).toBeUndefined();
    expect(enter('a')).toBe('in_flight');
    for (let i = 0; i < 500; i++) expect(enter(`other ${i}`)).toBeUndefined();
    expect(enter('b')).toBe('in_flight');
  });

  it('is five hundred of all whose keys are not known, so that they leave room to those whose are', () => {
    const admission = openAdmission();
    for (let i = 0; i < 500; i++) expect(admission.enter(arrival(`192.0.2.${i}`, 0, false))).toBeUndefined();
    expect(admission.enter(arrival('198.51.100.1', 0, false))).toBe('in_flight');
    const known = arrival('a key', 0);
    expect(admission.enter(known)).toBeUndefined();
    for (let i = 1; i < 500; i++) expect(admission.enter(arrival(`key ${i}`, 0))).toBeUndefined();
    expect(admission.enter(arrival('another key', 0))).toBe('in_flight');
    for (const one of admission.underWay(0)) admission.leave(one);
    expect(admission.enter(arrival('198.51.100.1', 0, false))).toBeUndefined();
  });

  it('is as many again once their answers are given, or nobody waits for them', () => {
    const admission = openAdmission();
    const all = Array.from({ length: 1_000 }, (_, i) => arrival(`caller ${i}`, 0));
    for (const one of all) expect(admission.enter(one)).toBeUndefined();
    const [first, second, third] = all as [Arrival, Arrival, Arrival];
    admission.leave(first);
    expect(admission.enter(arrival('b', 0))).toBeUndefined();
    expect(admission.enter(arrival('b', 0))).toBe('in_flight');
    Object.assign(second.response, { writableEnded: true });
    Object.assign(third.request.socket, { destroyed: true });
    expect(admission.enter(arrival('b', 2_000))).toBe('event_loop');
    for (const one of all) expect(admission.next()).toBe(one);
    expect(admission.next()?.caller.name).toBe('b');
    expect(admission.enter(arrival('b', 2_000))).toBeUndefined();
    expect(admission.enter(arrival('b', 2_000))).toBeUndefined();
    expect(admission.enter(arrival('b', 2_000))).toBe('in_flight');
  });

  it.each([
    ['a caller', (i: number) => arrival('a', i, true)],
    ['all whose keys are not known', (i: number) => arrival(`192.0.2.${i}`, i, false)],
  ])('is as much again of %s whose answers are given, though nobody reads them', (_whose, arrivalAt) => {
    const admission = openAdmission();
    for (let i = 0; i < 500; i++) {
      const one = arrivalAt(i);
      expect(admission.enter(one)).toBeUndefined();
      admission.next();
      Object.assign(one.response, { writableEnded: true });
    }
    expect(admission.enter(arrivalAt(500))).toBeUndefined();
  });

  it('is nothing of who asks for much while the next has waited for a second', () => {
    const admission = openAdmission();
    for (let i = 0; i < 6; i++) expect(admission.enter(arrival('a', 0))).toBeUndefined();
    expect(admission.enter(arrival('a', 1_000))).toBeUndefined();
    expect(admission.enter(arrival('a', 1_001))).toBe('event_loop');
    while (admission.next());
    expect(admission.enter(arrival('a', 1_002))).toBeUndefined();
  });

  it('has who asks for little go first', () => {
    const admission = openAdmission();
    for (let i = 0; i < 20; i++) admission.enter(arrival('flood', i));
    admission.enter(arrival('calm', 20));
    const order = Array.from({ length: 21 }, () => admission.next()?.caller.name);
    expect(order.indexOf('calm')).toBe(4);
    expect(admission.waiting()).toBe(0);
  });
});

/** The server on a socket, with a contact that is found only when `let` is called. */
async function holding(settings: Partial<HttpSettings> = {}) {
  const opened = await openStoreOfRun();
  const project = await aProject(opened.store, { contacts: [aContact()] });
  const gate = Promise.withResolvers<void>();
  const store: Store = {
    ...opened.store,
    findContact: async (...ids) => {
      await gate.promise;
      return opened.store.findContact(...ids);
    },
  };
  const answers: Answered[] = [];
  const app = buildApp(store, { ...noLimit, ...settings }, { onAnswered: [(one) => void answers.push(one)] });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as { port: number };
  const request = (path: string, token: string, ...headers: string[]) =>
    [`GET ${path} HTTP/1.1`, 'Host: x', `Authorization: Bearer ${token}`, ...headers, '', ''].join('\r\n');
  return {
    ...project,
    port,
    answers,
    request,
    ask: async (path: string, token: string, ...headers: string[]) => {
      const [answer] = await exchange(port, request(path, token, ...headers), 10_000);
      if (!answer) throw new Error(`no answer to ${path}`);
      return answer;
    },
    contact: `/v2/chatbots/${project.chatbotId}/contacts/${vendorContactId}`,
    store: opened.store,
    open: gate.resolve,
    [Symbol.asyncDispose]: async () => {
      gate.resolve();
      await app.close();
      await opened[Symbol.asyncDispose]();
    },
  };
}

/** Keeps six hundred requests waiting, on connections of many requests each. */
function flood(port: number, text: string): Socket[] {
  return Array.from({ length: 6 }, () => {
    const socket = connect(port, '127.0.0.1').resume();
    socket.write(text.repeat(100));
    return socket;
  });
}

describe('a caller who floods', () => {
  it('is told so with 503 and Retry-After, while another is answered, and is served again later', async () => {
    await using server = await holding({ corsOrigins: ['https://app.example.com'] });
    const { token: other } = await createApiKey(server.store, server.projectId, { name: 'other' });
    // Anew where the machine was so busy that the five seconds of the first were over.
    const floods: Socket[] = [];
    while ((await server.ask('/v2/members', server.token)).status === 200) {
      floods.push(...flood(server.port, server.request(server.contact, server.token)));
    }
    const origin = 'Origin: https://app.example.com';
    const { status, headers, body } = await server.ask(
      '/v2/members',
      server.token,
      'X-Request-Id: mine',
      origin,
    );
    expect([status, headers['retry-after'], headers['x-request-id']]).toEqual([503, '1', 'mine']);
    expect(headers).toMatchObject({
      'access-control-allow-origin': 'https://app.example.com',
      'cache-control': 'private, no-store',
      vary: 'Authorization, Origin',
    });
    expect(JSON.parse(body)).toMatchObject({ status: 'error', code: 'unavailable', request_id: 'mine' });
    expectDocumented({ method: 'GET', path: '/v2/members', status, headers, body });
    expect(server.answers.at(-1)).toMatchObject({ requestId: 'mine', status: 503, shed: 'in_flight' });

    expect((await server.ask('/v2/members', other)).status).toBe(200);
    for (const probe of ['/livez', '/readyz']) {
      expect((await server.ask(probe, server.token)).status, probe).toBe(200);
    }
    // Not as fast as he can ask, else a flood of these would do what the others may not.
    const probedAt = performance.now();
    const probes = await exchange(server.port, server.request('/livez', server.token).repeat(2));
    expect(probes.map(({ status }) => status)).toEqual([200, 200]);
    using prober = openAsker(`http://127.0.0.1:${server.port}`);
    for (let probe = 0; probe < 20; probe++)
      expect((await prober.get('/livez', server.token)).status).toBe(200);
    expect(performance.now() - probedAt).toBeGreaterThan(100);
    server.open();
    let later = await server.ask('/v2/members', server.token);
    for (; later.status !== 200; later = await server.ask('/v2/members', server.token)) await sleep(10);
    for (const socket of floods) socket.destroy();
  });

  it('leaves no place taken when he hangs up', async () => {
    await using server = await holding();
    // Only then is the key known, and a caller of its own.
    expect((await server.ask('/v2/members', server.token)).status).toBe(200);
    for (let time = 0; time < 3; time++) {
      const sockets = flood(server.port, server.request(server.contact, server.token));
      while ((await server.ask('/v2/members', server.token)).status === 200) await sleep(10);
      for (const socket of sockets) socket.destroy();
      let { status } = await server.ask('/v2/members', server.token);
      for (; status !== 200; { status } = await server.ask('/v2/members', server.token)) await sleep(50);
      expect(status).toBe(200);
    }
  });

  it('is answered 503 within seconds where a request that the lane has taken does not come to an end', async () => {
    await using server = await holding();
    // The first use of a key is the guard's, which notes it.
    expect((await server.ask('/v2/members', server.token)).status).toBe(200);
    const { status, headers } = await server.ask(server.contact, server.token);
    expect([status, headers['retry-after']]).toEqual([503, '1']);
    expect(server.answers.at(-1)?.shed).toBeUndefined();
  });
});

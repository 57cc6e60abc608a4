import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { createServer as createSocketServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { TLSSocket } from 'node:tls';
import { promisify } from 'node:util';

import { describe, expect, it } from 'vitest';

import { openOutgoing, type OutgoingOptions } from '../../src/outgoing/outgoing.ts';
import { aCertificate } from '../support/certificate.ts';
import { temporaryFolder } from '../support/engines.ts';
import { listening } from '../support/listening.ts';

/** `once` would fail where the other side resets the connection. */
async function closed(socket: Socket): Promise<void> {
  if (!socket.destroyed) await new Promise((resolve) => socket.once('close', resolve));
}

const aReceiver = (listener: RequestListener) => listening(createServer(listener));
/** Every connection gets these bytes as soon as it asks for something. */
const aReceiverOfBytes = (bytes: string, then: (socket: Socket) => void) =>
  listening(createSocketServer((socket) => void socket.once('data', () => socket.write(bytes, () => then(socket)))));

const body = '{"type":"made.up"}';
const headers = { 'content-type': 'application/json', 'webhook-id': 'one' };
const open = (options: OutgoingOptions = {}) => openOutgoing(['127.0.0.1'], options);
const at = (port: number) => ({ url: `http://127.0.0.1:${port}/hook?a=b`, headers, body });

const answering = (status: number, more: Record<string, string> = {}) =>
  aReceiver((_, response) => void response.writeHead(status, more).end('made up'));

describe('one attempt', () => {
  it('posts the headers and the body, and says how long it took', async () => {
    const seen: [IncomingMessage, string][] = [];
    using receiver = await aReceiver((request, response) => {
      void text(request).then((sent) => {
        seen.push([request, sent]);
        setTimeout(() => response.end(), 20);
      });
    });
    using outgoing = open();
    const { durationMs, ...attempt } = await outgoing.post(at(receiver.port));
    expect(attempt).toEqual({ status: 200, failure: null });
    expect(durationMs).toBeGreaterThanOrEqual(19);
    const [[request, sent] = [undefined, '']] = seen;
    expect(request).toMatchObject({ method: 'POST', url: '/hook?a=b', headers });
    expect(request?.headers).toMatchObject({ 'content-length': String(body.length) });
    expect(sent).toBe(body);
  });

  it.each([
    [200, null],
    [204, null],
    [299, null],
    [300, 'redirect'],
    [304, 'redirect'],
    [400, 'status'],
    [410, 'status'],
    [500, 'status'],
    [600, 'status'],
  ])('is judged by its status: %i, %s', async (status, failure) => {
    using receiver = await answering(status);
    using outgoing = open();
    expect(await outgoing.post(at(receiver.port))).toEqual({ status, failure, durationMs: expect.any(Number) });
  });

  it.each([301, 307])('follows no redirect: %i', async (status) => {
    using elsewhere = await answering(200);
    using receiver = await answering(status, { location: `http://127.0.0.1:${elsewhere.port}/` });
    using outgoing = open();
    expect(await outgoing.post(at(receiver.port))).toMatchObject({ status, failure: 'redirect' });
    expect(elsewhere.connections()).toBe(0);
  });

  it.each([
    [429, '120', 120_000],
    [503, '86400', 3_600_000],
    [500, '120', undefined],
    [200, '120', undefined],
  ])('tells the pause that %i asks for by Retry-After: %s', async (status, retryAfter, pauseMs) => {
    using receiver = await answering(status, { 'retry-after': retryAfter });
    using outgoing = open();
    expect((await outgoing.post(at(receiver.port))).retryAfterMs).toBe(pauseMs);
  });

  it('cuts an answer without end, and judges it by its status', async () => {
    let sent = 0;
    using receiver = await aReceiver((_, response) => {
      const more = () => {
        while (response.write('x'.repeat(16_384))) sent += 16_384;
      };
      response.on('drain', more).writeHead(200);
      more();
    });
    using outgoing = open();
    expect(await outgoing.post(at(receiver.port))).toMatchObject({ status: 200, failure: null });
    await closed(await receiver.connected);
    // What the sockets of both sides hold, and not what a receiver can send in a time limit.
    expect(sent).toBeLessThan(16 * 1024 * 1024);
  });

  it.each([
    ['is silent after the status', 'HTTP/1.1 202 Accepted\r\ncontent-length: 9\r\n\r\nbegun', () => undefined],
    ['ends in the body', 'HTTP/1.1 202 Accepted\r\ncontent-length: 9\r\n\r\nbegun', (socket: Socket) => socket.end()],
  ])('is judged by the status of a receiver that %s', async (_, bytes, then) => {
    using receiver = await aReceiverOfBytes(bytes, then);
    using outgoing = open({ timeoutMs: 100 });
    expect(await outgoing.post(at(receiver.port))).toMatchObject({ status: 202, failure: null });
    await closed(await receiver.connected);
  });

  it.each([
    ['resets the connection', '', (socket: Socket) => void socket.resetAndDestroy()],
    ['ends the connection', '', (socket: Socket) => void socket.end()],
    ['ends in the headers', 'HTTP/1.1 200 OK\r\nx-made', (socket: Socket) => void socket.end()],
    ['does not speak HTTP', '220 mail.example.com ESMTP\r\n', () => undefined],
    ['sends headers without end', `HTTP/1.1 200 OK\r\nx: ${'x'.repeat(100_000)}`, () => undefined],
    ['answers with no status of HTTP', 'HTTP/1.1 099 X\r\ncontent-length: 0\r\n\r\n', () => undefined],
    ['changes the protocol', 'HTTP/1.1 101 Other\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n', () => undefined],
  ])('is closed early where the receiver %s', async (_, bytes, then) => {
    using receiver = await aReceiverOfBytes(bytes, then);
    using outgoing = open();
    expect(await outgoing.post(at(receiver.port))).toMatchObject({ status: null, failure: 'closed_early' });
  });

  it('ends at the time limit, and drops the connection', async () => {
    using receiver = await aReceiver(() => undefined);
    using outgoing = open({ timeoutMs: 50 });
    expect(await outgoing.post(at(receiver.port))).toMatchObject({ status: null, failure: 'timeout' });
    await closed(await receiver.connected);
  });

  it('waits longer for an answer than for a connection', async () => {
    using receiver = await aReceiver((_, response) => void setTimeout(() => response.end(), 250));
    using outgoing = open({ connectMs: 200 });
    expect(await outgoing.post(at(receiver.port))).toMatchObject({ status: 200, failure: null });
  });

  it('ends at the time limit for a receiver that tells again and again to wait', async () => {
    const processing = 'HTTP/1.1 102 Processing\r\n\r\n';
    using receiver = await aReceiverOfBytes(processing, (socket) => {
      const timer = setInterval(() => socket.write(processing), 5);
      socket.once('close', () => clearInterval(timer));
    });
    using outgoing = open({ timeoutMs: 50 });
    expect(await outgoing.post(at(receiver.port))).toMatchObject({ status: null, failure: 'timeout' });
  });

  it('has no connection where nobody listens', async () => {
    const receiver = await answering(200);
    receiver[Symbol.dispose]();
    using outgoing = open();
    expect(await outgoing.post(at(receiver.port))).toMatchObject({ status: null, failure: 'no_connection' });
  });

  it('throws the reason of its signal, before and while it waits', async () => {
    using receiver = await aReceiver(() => undefined);
    using outgoing = open();
    const stopping = new AbortController();
    const posting = outgoing.post(at(receiver.port), stopping.signal);
    await receiver.connected;
    stopping.abort(new Error('enough'));
    await expect(posting).rejects.toThrow('enough');
    await expect(outgoing.post(at(receiver.port), stopping.signal)).rejects.toThrow('enough');
    expect(receiver.connections()).toBe(1);
  });
});

describe('a connection that is kept', () => {
  it('serves the next attempt', async () => {
    using receiver = await answering(200);
    using outgoing = open();
    for (let count = 0; count < 3; count++) await outgoing.post(at(receiver.port));
    expect(receiver.connections()).toBe(1);
  });

  it('fails no attempt though it has ended meanwhile', async () => {
    let posts = 0;
    using receiver = await aReceiverOfBytes('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n', (socket) => {
      posts++;
      socket.once('data', () => socket.destroy());
    });
    using outgoing = open();
    for (let count = 0; count < 3; count++) {
      expect(await outgoing.post(at(receiver.port))).toMatchObject({ status: 200, failure: null });
    }
    expect([posts, receiver.connections()]).toEqual([3, 3]);
  });

  it('is replaced once by a new one, though many that are kept have ended', async () => {
    const firstPosts: Socket[] = [];
    let morePosts = 0;
    const ok = 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n';
    using receiver = await listening(
      createSocketServer((socket) => {
        socket.once('data', () => {
          socket.on('data', () => (morePosts++, socket.destroy()));
          if (firstPosts.push(socket) > 25) socket.write(ok);
          if (firstPosts.length === 25) for (const one of firstPosts) one.write(ok);
        });
      }),
    );
    using outgoing = open();
    await Promise.all(Array.from({ length: 25 }, () => outgoing.post(at(receiver.port))));
    expect(await outgoing.post(at(receiver.port))).toMatchObject({ status: 200, failure: null });
    expect([morePosts, firstPosts.length]).toEqual([1, 26]);
  });

  it('is one for each receiver where many post at once, and serves its next attempt', async () => {
    using ended = new DisposableStack();
    const ports = await Promise.all(
      Array.from({ length: 12 }, async () => {
        const waiting: ServerResponse[] = [];
        const receiver = await aReceiver((_, response) => {
          if (waiting.push(response) >= 25) for (const one of waiting) one.end();
        });
        return ended.use(receiver);
      }),
    );
    const count = (of: 'connections' | 'openConnections') => ports.reduce((all, one) => all + one[of](), 0);
    using outgoing = open();
    const postToAll = (times: number) =>
      Promise.all(ports.flatMap(({ port }) => Array.from({ length: times }, () => outgoing.post(at(port)))));
    await postToAll(25);
    await postToAll(1);
    expect(count('connections')).toBe(300);
    // All end after four seconds.
    await expect.poll(() => count('openConnections'), { timeout: 3_000 }).toBeLessThanOrEqual(112);
  });

  it('ends when the sender is closed', async () => {
    using receiver = await answering(200);
    const outgoing = open();
    await outgoing.post(at(receiver.port));
    const socket = await receiver.connected;
    expect(socket.destroyed).toBe(false);
    outgoing[Symbol.dispose]();
    await closed(socket);
  });
});

describe('TLS', () => {
  const name = 'receiver.example.com';
  const lookup = async () => ['127.0.0.1'];

  async function aSecureReceiver(certificate = aCertificate(name)) {
    const names: unknown[] = [];
    const server = createSecureServer(certificate, ({ socket, headers: { host } }, response) => {
      names.push((socket as TLSSocket).servername, host);
      response.end();
    });
    return Object.assign(await listening(server), { names });
  }

  it.each([
    ['a certificate that nobody vouches for', name],
    ['a literal address', '127.0.0.1'],
  ])('fails with %s', async (_, host) => {
    using receiver = await aSecureReceiver();
    using outgoing = open({ lookup });
    const posted = await outgoing.post({ ...at(0), url: `https://${host}:${receiver.port}/` });
    expect(posted).toMatchObject({ status: null, failure: 'tls' });
    expect(receiver.names).toEqual([]);
  });

  it('fails where the receiver does not speak it', async () => {
    using receiver = await answering(200);
    using outgoing = open({ lookup });
    const posted = await outgoing.post({ ...at(0), url: `https://${name}:${receiver.port}/` });
    expect(posted).toMatchObject({ status: null, failure: 'tls' });
  });

  it('belongs to the time for the connection', async () => {
    using receiver = await listening(createSocketServer());
    using outgoing = open({ lookup, connectMs: 50 });
    const posted = await outgoing.post({ ...at(0), url: `https://${name}:${receiver.port}/` });
    expect(posted).toMatchObject({ status: null, failure: 'timeout' });
  });

  it('keeps the name, trusts NODE_EXTRA_CA_CERTS, and takes no proxy of the environment', async () => {
    const certificate = aCertificate(name);
    using receiver = await aSecureReceiver(certificate);
    using proxy = await answering(502);
    using folder = temporaryFolder();
    const authority = join(folder.path, 'authority.pem');
    writeFileSync(authority, certificate.cert);
    const through = `http://127.0.0.1:${proxy.port}`;
    const env = { NODE_EXTRA_CA_CERTS: authority, NODE_USE_ENV_PROXY: '1', HTTPS_PROXY: through, HTTP_PROXY: through };
    const hosts = [name, `${name}.`, 'another.example.com'];
    const urls = hosts.map((host) => `https://${host}:${receiver.port}/`);
    const script = `
      import { openOutgoing } from ${JSON.stringify(new URL('../../src/outgoing/outgoing.ts', import.meta.url).href)};
      using outgoing = openOutgoing(['127.0.0.1'], { lookup: async () => ['127.0.0.1'] });
      for (const url of ${JSON.stringify(urls)})
        console.log((await outgoing.post({ url, headers: {}, body: '' })).failure);`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], { env });
    expect(stdout.trim().split('\n')).toEqual(['null', 'null', 'tls']);
    const host = `${name}:${receiver.port}`;
    expect([receiver.names, proxy.connections()]).toEqual([[name, host, name, host], 0]);
  });
});

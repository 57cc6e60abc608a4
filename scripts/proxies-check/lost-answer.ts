import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect as connectHttp2, constants } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { connect as connectTls } from 'node:tls';

import { type Front, type FrontName, programOf, startFront } from '../../acceptance/hostile/fronts.ts';
import { answerOf } from './ask.ts';

/** The protocol that a client gets which knows HTTP/2 and HTTP/1.1. */
export async function protocolOf({ port, certificate: ca }: Front): Promise<string | false | null> {
  const socket = connectTls({ host: '127.0.0.1', port, ca, ALPNProtocols: ['h2', 'http/1.1'] });
  await once(socket, 'secureConnect');
  const { alpnProtocol } = socket;
  socket.destroy();
  return alpnProtocol;
}

/** Sends a POST to a process that dies before its answer; how the proxy repeats it, or lets a client repeat it. */
export async function afterLostAnswer(name: FrontName, folder: string): Promise<string | undefined> {
  let posts = 0;
  const dying = createServer(({ socket, method }, response) => {
    // HAProxy asks whether the process is ready.
    if (method !== 'POST') return void response.end();
    posts++;
    socket.destroy();
  }).listen(0, '127.0.0.1');
  await once(dying, 'listening');
  const { port } = dying.address() as AddressInfo;
  try {
    await using front = await startFront(name, programOf(name) ?? name, port, folder);
    if ((await protocolOf(front)) === 'h2' && (await isRefused(front)))
      return 'the client is told that nothing was done';
    posts = 0;
    const { status } = await answerOf(front, '/v2/chatbots/shop/contacts', { method: 'POST', body: '{}' });
    return posts === 1 && status === 502 ? undefined : `${posts} requests, ${status}`;
  } finally {
    dying.close();
  }
}

/** Clients repeat a refused request by themselves (RFC 9113, 8.7). */
async function isRefused({ port, certificate: ca }: Front): Promise<boolean> {
  const session = connectHttp2(`https://127.0.0.1:${port}`, { ca });
  const stream = session.request({ ':method': 'POST', ':path': '/v2/chatbots/shop/contacts' });
  const closed = new Promise((resolve) => void stream.once('close', resolve));
  stream
    .on('error', () => undefined)
    .resume()
    .end('{}');
  await closed;
  session.destroy();
  return stream.rstCode === constants.NGHTTP2_REFUSED_STREAM;
}

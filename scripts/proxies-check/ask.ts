import type { IncomingHttpHeaders } from 'node:http';
import { request } from 'node:https';

import type { Front } from '../../acceptance/hostile/fronts.ts';

export interface Asked {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
  /** The loopback address that the request comes from. */
  from?: string;
}

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** Whether the answer is in Roster's envelope. */
  isEnvelope: boolean;
}

/** Asks by HTTPS, on a connection of its own. */
export async function answerOf(
  front: Front,
  path: string,
  { method = 'GET', headers = {}, body, from }: Asked = {},
): Promise<Answer> {
  const sent = request({
    host: '127.0.0.1',
    port: front.port,
    ca: front.certificate,
    agent: false,
    method,
    path,
    headers: { ...headers, ...(body !== undefined && { 'Content-Length': Buffer.byteLength(body) }) },
    ...(from !== undefined && { localAddress: from }),
  });
  // An answer may come before the whole body is sent.
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  sent.on('response', (incoming) => {
    let text = '';
    incoming.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    incoming.once('end', () => {
      const isEnvelope =
        text.startsWith('{"status":') && String(incoming.headers['content-type']).startsWith('application/json');
      resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text, isEnvelope });
    });
    incoming.once('error', reject);
  });
  sent.on('error', reject);
  sent.end(body);
  return promise;
}

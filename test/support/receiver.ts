import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  /** Path and query. */
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
  /** Parsed. */
  message: { type: string; timestamp: string; data: Record<string, unknown> };
  at: number;
}

export interface Receiver extends AsyncDisposable {
  url: string;
  received: Received[];
  /** How the next requests are answered; missing is 204. */
  answer: ((response: ServerResponse, number: number) => void) | undefined;
}

/** A server on the loopback that keeps what webhooks post. */
export async function aReceiver(): Promise<Receiver> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      const message = JSON.parse(body) as Received['message'];
      receiver.received.push({
        url: request.url ?? '',
        headers: request.headers,
        body,
        message,
        at: performance.now(),
      });
      if (receiver.answer) receiver.answer(response, receiver.received.length);
      else response.writeHead(204).end();
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received: [],
    answer: undefined,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => void server.close(resolve));
    },
  };
  return receiver;
}

/** Answers with this status, and these headers. */
export function status(code: number, headers: Record<string, string> = {}): NonNullable<Receiver['answer']> {
  return (response) => void response.writeHead(code, headers).end();
}

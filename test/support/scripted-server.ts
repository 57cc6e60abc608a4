import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';

import { listening } from './listening.ts';

/** An answer; `cut` ends the connection in the body, `drop` before the head, and `hang` never answers. */
export type Scripted =
  | { status: number; headers?: Record<string, string>; body?: object | string }
  | 'cut'
  | 'drop'
  | 'hang';

export interface Asked {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** A server that gives these answers one after the other; the last one again and again. */
export async function scriptedServer(...script: Scripted[]) {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const { method = '', url = '', headers } = request;
      asked.push({ method, url, headers, body });
      answer(script[Math.min(asked.length, script.length) - 1] ?? 'drop', response);
    });
  });
  return Object.assign(await listening(server), { asked });
}

function answer(scripted: Scripted, response: ServerResponse): void {
  if (scripted === 'hang') return;
  if (scripted === 'drop') {
    response.destroy();
    return;
  }
  if (scripted === 'cut') {
    response.writeHead(200, { 'content-length': 100 }).write('{"status":', () => response.destroy());
    return;
  }
  const { status, headers, body = '' } = scripted;
  const type = typeof body === 'string' ? 'text/html' : 'application/json; charset=utf-8';
  response.writeHead(status, { 'content-type': type, ...headers });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}

import { addAbortListener } from 'node:events';
import * as http from 'node:http';
import * as https from 'node:https';
import type { LookupFunction, Socket } from 'node:net';

export interface Request {
  url: string;
  method?: string;
  headers?: Readonly<Record<string, string>>;
  body?: string;
  /** `false` uses a new connection and does not keep it. */
  agent?: http.Agent | false;
  lookup?: LookupFunction;
}

/** `timeoutMs`: until the whole answer is read; `connectMs`, by default the same: until the connection stands. */
export interface RequestLimits {
  timeoutMs: number;
  connectMs?: number;
  bytesMax: number;
}

export interface Answer {
  status: number;
  headers: http.IncomingHttpHeaders;
  /** The body; undefined where it is above the limit, or was cut. */
  text: string | undefined;
  cut?: Unanswered;
}

/** `closed_early` is no answer of HTTP too; `stale`: a connection that was kept has ended, and another may do. */
export type Unanswered = 'no_connection' | 'tls' | 'timeout' | 'closed_early' | 'stale';

/** Sends once, and follows no redirect. Throws the signal's reason. */
export async function send(
  { url, method = 'GET', headers = {}, body, ...way }: Request,
  { timeoutMs, connectMs = timeoutMs, bytesMax }: RequestLimits,
  signal: AbortSignal,
): Promise<Answer | Unanswered> {
  signal.throwIfAborted();
  const isEncrypted = url.startsWith('https:');
  // `fetch` takes a third more memory.
  const { request: open } = isEncrypted ? https : http;
  const ending = new AbortController();
  // AbortSignal.any would keep a reference in the long-lived signal for each request.
  using _ = addAbortListener(signal, () => ending.abort());
  const request = open(url, { method, headers, signal: ending.signal, ...way });
  const stage = stageOf(request, isEncrypted);
  const isConnecting = () => stage.now === 'no_connection' || stage.now === 'tls';
  const connectTimer = setTimeout(() => isConnecting() && ending.abort(), connectMs);
  const timer = setTimeout(() => ending.abort(), timeoutMs);
  const reason = (): Unanswered => {
    signal.throwIfAborted();
    return ending.signal.aborted ? 'timeout' : stage.now;
  };
  try {
    const response = await answerTo(request.end(body));
    const { statusCode: status = 0, headers: told } = response;
    return await textOf(response, bytesMax).then(
      (text) => ({ status, headers: told, text }),
      () => ({ status, headers: told, text: undefined, cut: reason() }),
    );
  } catch {
    return reason();
  } finally {
    clearTimeout(connectTimer);
    clearTimeout(timer);
  }
}

function answerTo(request: http.ClientRequest): Promise<http.IncomingMessage> {
  return new Promise((resolve, reject) => {
    // A later error also fails the read of the body. An answer of 101 closes the connection without an error.
    request.once('response', resolve).on('error', reject).once('close', reject);
  });
}

function stageOf(request: http.ClientRequest, isEncrypted: boolean): { now: Unanswered } {
  const stage: { now: Unanswered } = { now: 'no_connection' };
  request.once('socket', (socket: Socket) => {
    const stands = () => (stage.now = 'closed_early');
    if (request.reusedSocket) stage.now = 'stale';
    else if (isEncrypted) socket.once('connect', () => (stage.now = 'tls')).once('secureConnect', stands);
    else socket.once('connect', stands);
  });
  request.once('response', () => (stage.now = 'closed_early'));
  return stage;
}

async function textOf(response: http.IncomingMessage, bytesMax: number): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > bytesMax) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

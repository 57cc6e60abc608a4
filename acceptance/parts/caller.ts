import { once } from 'node:events';
import { connect } from 'node:net';

/** An answer as it came. */
export interface Reply {
  status: number;
  statusLine: string;
  /** The lines of its headers, in their order. */
  head: readonly string[];
  body: string;
  /** Epoch, ms: no answer is right that was wrong for all the time in between. */
  sentAt: number;
  receivedAt: number;
  /** On a finer clock. */
  ms: number;
}

/**
 * One connection that is kept, and another once the server has said that it closes. Questions may be put before the
 * answers to earlier ones have come.
 */
export interface Caller extends Disposable {
  /** Puts a request, written out but for its last line break; rejects where the connection ends without its answer. */
  ask(head: string, kind?: Kind): Promise<Reply>;
}

interface Kind {
  isHead?: boolean;
  body?: string;
}

interface Waiting {
  isHead: boolean;
  sentAt: number;
  startedAt: number;
  resolve: (reply: Reply) => void;
  reject: (error: Error) => void;
}

/** The least that a client of HTTP/1.1 can do, so that a hundred thousand questions are a matter of seconds. */
export async function openCaller(port: number): Promise<Caller> {
  let connection = await openConnection(port);
  return {
    ask: async (head, kind = {}) => {
      const reply = await connection.ask(head, kind);
      if (reply.head.some((line) => /^connection: close$/i.test(line))) connection = await openConnection(port);
      return reply;
    },
    [Symbol.dispose]: () => connection.socket.destroy(),
  };
}

async function openConnection(port: number) {
  // One character is one byte, so that lengths are lengths.
  const socket = connect(port, '127.0.0.1').setNoDelay(true).setEncoding('latin1');
  const waiting: Waiting[] = [];
  let text = '';
  socket.on('data', (chunk: string) => {
    text += chunk;
    for (let first = waiting[0]; first; first = waiting[0]) {
      const found = answerIn(text, first);
      if (!found) return;
      text = text.slice(found.length);
      waiting.shift();
      first.resolve(found.reply);
    }
  });
  const onEnd = () => {
    for (const { reject } of waiting.splice(0)) reject(new Error('the connection ended without an answer'));
  };
  socket.on('error', onEnd).on('close', onEnd);
  await once(socket, 'connect');
  const ask = (head: string, { isHead = false, body = '' }: Kind) =>
    new Promise<Reply>((resolve, reject) => {
      if (socket.closed) return reject(new Error('the connection has ended'));
      waiting.push({ isHead, sentAt: Date.now(), startedAt: performance.now(), resolve, reject });
      socket.write(`${head}\r\n${Buffer.from(body).toString('latin1')}`, 'latin1');
    });
  return { socket, ask };
}

function answerIn(text: string, { isHead, sentAt, startedAt }: Waiting): { reply: Reply; length: number } | undefined {
  const headEnd = text.indexOf('\r\n\r\n');
  if (headEnd === -1) return undefined;
  const [statusLine = '', ...head] = text.slice(0, headEnd).split('\r\n');
  const status = Number(statusLine.slice(9, 12));
  const given = head.find((line) => /^content-length:/i.test(line));
  const bodyLength = isHead || status === 304 ? 0 : Number(given?.slice('content-length:'.length) ?? 0);
  const length = headEnd + 4 + bodyLength;
  if (text.length < length) return undefined;
  const body = Buffer.from(text.slice(headEnd + 4, length), 'latin1').toString('utf8');
  return {
    length,
    reply: {
      status,
      statusLine,
      head,
      body,
      sentAt,
      receivedAt: Date.now(),
      ms: performance.now() - startedAt,
    },
  };
}

/** A GET with a key, written out for `ask`. */
export function getBy(token: string, path: string, ...lines: readonly string[]): string {
  const head = [`GET ${path} HTTP/1.1`, 'Host: roster.test', `Authorization: Bearer ${token}`, ...lines];
  return head.map((line) => `${line}\r\n`).join('');
}

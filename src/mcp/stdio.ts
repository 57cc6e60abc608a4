import { PassThrough, type Readable, type Writable } from 'node:stream';

import { isJSONRPCRequest, type JSONRPCMessage, type Transport } from '@modelcontextprotocol/server';
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';

import { type Admit, toolServer } from './server.ts';

interface Streams {
  stdin: Readable;
  stdout: Writable;
  onUnreadable: () => void;
}

/** Serves until the input ends and all requests are answered, the output is closed, or the signal is aborted. */
export async function serveOverStdio(
  version: string,
  admit: Admit,
  { stdin, stdout, onUnreadable }: Streams,
  signal: AbortSignal,
): Promise<void> {
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  const transport = answeringAll(stdin, stdout, resolve);
  const served = serveStdio(() => toolServer(version, admit), {
    transport,
    maxSubscriptions: 0,
    onerror: onUnreadable,
  });
  signal.addEventListener('abort', () => void served.close(), { once: true });
  await closed;
}

const answersWithinMs = 5_000;

/** The library aborts open calls when its input ends, so it sees the end only after all answers. */
function answeringAll(stdin: Readable, stdout: Writable, onClosed: () => void): Transport {
  const input = new PassThrough();
  const inner = new StdioServerTransport(input, stdout);
  const asked = new Set<unknown>();
  let isEnded = false;
  const endIfDone = () => isEnded && asked.size === 0 && input.end();
  stdin.pipe(input, { end: false });
  const onEnd = () => {
    isEnded = true;
    // A pending read ends first.
    setImmediate(endIfDone);
    setTimeout(() => input.end(), answersWithinMs).unref();
  };
  stdin.once('end', onEnd).once('error', onEnd);
  const transport: Transport = {
    start: () => {
      Object.assign(inner, {
        onmessage: (message: JSONRPCMessage) => {
          if (isJSONRPCRequest(message)) asked.add(message.id);
          transport.onmessage?.(message);
        },
        onerror: (error: Error) => transport.onerror?.(error),
        onclose: () => {
          stdin.unpipe(input).pause();
          transport.onclose?.();
          onClosed();
        },
      });
      return inner.start();
    },
    send: async (message) => {
      await inner.send(message);
      if ('id' in message && !('method' in message)) asked.delete(message.id);
      endIfDone();
    },
    close: () => inner.close(),
  };
  return transport;
}

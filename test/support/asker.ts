import { connect, type Socket } from 'node:net';

/** One caller on one connection that is kept: each question is put when the one before is answered. */
export interface Asker extends Disposable {
  get(path: string, token: string): Promise<{ status: number; body: string }>;
}

/** The least that a client of HTTP can do, so that a hundred thousand questions are a matter of seconds. */
export function openAsker(address: string): Asker {
  const { hostname, port } = new URL(address);
  let text = '';
  let answered: ((answer: { status: number; body: string }) => void) | undefined;
  let failed: ((error: Error) => void) | undefined;
  const onEnd = () => failed?.(new Error('the connection ended'));
  const open = (): Socket => {
    const opened = connect(Number(port), hostname).setNoDelay(true).setEncoding('utf8');
    return opened.on('data', onData).on('error', onEnd).on('close', onEnd);
  };
  const onData = (chunk: string | Buffer) => {
    text += String(chunk);
    const bodyAt = text.indexOf('\r\n\r\n') + 4;
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(text)?.[1]);
    // Nothing here is asked for whose answer has more bytes than characters.
    if (bodyAt < 4 || text.length < bodyAt + length) return;
    const answer = { status: Number(text.slice(9, 12)), body: text.slice(bodyAt) };
    if (/\r\nconnection: close\r\n/i.test(text.slice(0, bodyAt))) {
      // As a connection does after its hundred thousandth answer.
      socket.off('close', onEnd).destroy();
      socket = open();
    }
    text = '';
    answered?.(answer);
  };
  let socket = open();
  return {
    get: (path, token) =>
      new Promise((resolve, reject) => {
        [answered, failed] = [resolve, reject];
        socket.write(`GET ${path} HTTP/1.1\r\nHost: roster.test\r\nAuthorization: Bearer ${token}\r\n\r\n`);
      }),
    [Symbol.dispose]: () => socket.destroy(),
  };
}

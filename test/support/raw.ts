import { once } from 'node:events';
import { connect } from 'node:net';

interface RawAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
  /** Whether the server ended the connection within the time. */
  closed: boolean;
}

const goesOnWithinMs = 50;

/** Sends the bytes as they are and reads what comes until the server ends or falls silent. */
export function exchange(
  port: number,
  bytes: string | Buffer,
  silentAfterMs = 2_000,
  goesOnMs = goesOnWithinMs,
): Promise<RawAnswer[]> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    let closed = false;
    socket.setTimeout(silentAfterMs, () => socket.destroy());
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      // The end that was announced is worth waiting for.
      const isLast = /\r\nconnection: close\r\n/i.test(chunk.toString('latin1'));
      socket.setTimeout(isLast ? silentAfterMs : goesOnMs);
    });
    socket.on('end', () => (closed = true));
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') reject(error);
    });
    socket.on('close', () => resolve(parse(Buffer.concat(chunks).toString('utf8'), closed)));
  });
}

/**
 * Sends half the head of a request, and returns once the server has read it: with a whole one before it, in one packet,
 * which is answered. `finish` sends the rest and resolves with all that was answered to it.
 */
export async function beginRequest(address: string): Promise<{ finish: () => Promise<string> }> {
  const socket = connect(Number(new URL(address).port), '127.0.0.1');
  let received = '';
  const closed = new Promise<void>((resolve) => {
    socket.on('error', () => undefined).on('close', () => resolve());
  });
  const first = once(socket, 'data');
  socket.write('GET /livez HTTP/1.1\r\nHost: x\r\n\r\nGET /readyz HTTP/1.1\r\nHost: x\r\n');
  await first;
  socket.setEncoding('utf8').on('data', (text: string) => (received += text));
  return {
    finish: async () => {
      socket.write('\r\n');
      await closed;
      return received;
    },
  };
}

function parse(text: string, closed: boolean): RawAnswer[] {
  const answers: RawAnswer[] = [];
  let rest = Buffer.from(text);
  while (rest.length > 0) {
    const end = rest.indexOf('\r\n\r\n');
    const [statusLine = '', ...lines] = rest
      .subarray(0, end === -1 ? rest.length : end)
      .toString('utf8')
      .split('\r\n');
    const headers = Object.fromEntries(
      lines.map((line) => {
        const colon = line.indexOf(':');
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
      }),
    );
    const length = Number(headers['content-length'] ?? 0);
    const body = rest.subarray(end + 4, end + 4 + length).toString('utf8');
    answers.push({ status: Number(statusLine.split(' ')[1]), headers, body, closed });
    if (end === -1) break;
    rest = rest.subarray(end + 4 + length);
  }
  return answers;
}

import { once } from 'node:events';
import { connect } from 'node:net';
import { connect as connectSecurely } from 'node:tls';

/** One answer, as it came over the wire. */
export interface WireAnswer {
  status: number;
  /** By name in lower case; the values of one that came twice are joined by a line feed, which no value holds. */
  headers: Readonly<Record<string, string>>;
  body: string;
  /** What of it is no HTTP; '' for nothing. */
  flaw: string;
}

/** A connection that sends bytes as they are. */
export interface Wire {
  send(bytes: Uint8Array): void;
  /** The same, done when the system has them. */
  sent(bytes: Uint8Array): Promise<void>;
  /** The next answer, or why there is none. Who has sent a HEAD says so, as nobody else can know. */
  next(isHead?: boolean): Promise<WireAnswer | 'ended' | 'silent'>;
  destroy(): void;
  /** Goes away at once, in a way that the other side meets as an error. */
  hangUp(): Promise<void>;
}

export interface Place {
  hostname: string;
  port: number;
  /** By TLS, with this one trusted, as PEM. */
  certificate?: string | undefined;
}

const silentAfterMs = 10_000;

export function openWire({ hostname, port, certificate: ca }: Place, silentAfter = silentAfterMs): Wire {
  const opened = ca === undefined ? connect(port, hostname) : connectSecurely({ port, host: hostname, ca });
  const socket = opened.setNoDelay(true);
  let received = Buffer.alloc(0);
  let isEnded = false;
  let wake: (() => void) | undefined;
  socket.on('data', (chunk) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
    wake?.();
  });
  socket.on('error', () => undefined);
  socket.on('close', () => {
    isEnded = true;
    wake?.();
  });
  const somethingCame = () =>
    new Promise<boolean>((resolve) => {
      const timer = setTimeout(() => resolve(false), silentAfter);
      wake = () => {
        clearTimeout(timer);
        resolve(true);
      };
    });
  return {
    send: (bytes) => void socket.write(bytes),
    sent: (bytes) => new Promise((resolve) => void socket.write(bytes, () => resolve())),
    next: async (isHead = false) => {
      for (;;) {
        const found = readAnswer(received, isHead, isEnded);
        if (found) {
          received = received.subarray(found.length);
          return found.answer;
        }
        if (isEnded) return 'ended';
        if (!(await somethingCame())) return 'silent';
      }
    },
    destroy: () => void socket.destroy(),
    hangUp: async () => {
      if (socket.closed) return;
      socket.resetAndDestroy();
      await once(socket, 'close');
    },
  };
}

const headEnd = Buffer.from('\r\n\r\n');
const statusLineForm = /^HTTP\/1\.1 (\d{3}) [A-Za-z' -]+$/;
const fieldForm = /^([!#$%&'*+.^_`|~\w-]+):[ \t]*([\t\x20-\x7e]*)$/;

/** The first answer in these bytes; undefined where its end has not come. */
function readAnswer(
  bytes: Buffer,
  isHead: boolean,
  isAll: boolean,
): { answer: WireAnswer; length: number } | undefined {
  if (bytes.length === 0) return undefined;
  const end = bytes.indexOf(headEnd);
  if (end === -1) return isAll ? foreign(bytes, 'it ends within its head') : undefined;
  const [statusLine = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n');
  const status = Number(statusLineForm.exec(statusLine)?.[1]);
  if (Number.isNaN(status)) return foreign(bytes, 'its status line has another form');
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const [, name, value = ''] = fieldForm.exec(line) ?? [];
    if (name === undefined) return foreign(bytes, 'a header has another form');
    const key = name.toLowerCase();
    headers[key] = headers[key] === undefined ? value : `${headers[key]}\n${value}`;
  }
  const from = end + headEnd.length;
  const length = bodyLength(status, headers, isHead);
  // RFC 9112 §6.3: an answer without a length lasts as long as the connection.
  if (length === undefined && !isAll) return undefined;
  const to = length === undefined ? bytes.length : from + length;
  if (to > bytes.length) return isAll ? foreign(bytes, 'it ends within its body') : undefined;
  return { answer: { status, headers, body: bytes.toString('utf8', from, to), flaw: '' }, length: to };
}

function bodyLength(status: number, headers: WireAnswer['headers'], isHead: boolean): number | undefined {
  if (isHead || status < 200 || status === 204 || status === 304) return 0;
  const given = headers['content-length'];
  return given !== undefined && /^\d{1,9}$/.test(given) ? Number(given) : undefined;
}

function foreign(bytes: Buffer, flaw: string) {
  const body = bytes.toString('latin1', 0, 500);
  return { answer: { status: 0, headers: {}, body, flaw }, length: bytes.length };
}

import { createServer, type Socket } from 'node:net';

/**
 * What the limiter and its client say to a Redis, answered over a real socket: AUTH, and the one script of the
 * limiter. A command is done whole before the next one is read, as in Redis, and a key is gone when its time is.
 * Another script is refused, so that a new version of the limiter cannot pass by what this made of the old one.
 */
export interface StandIn {
  keys(): string[];
  /** Answers every command with this error, or again as it should. */
  refuse(error: string | null): void;
  /** Accepts and reads, but neither works nor answers until `resume`. */
  hang(): void;
  resume(): void;
  stop(): Promise<void>;
}

const script = `redis.call('set', KEYS[1], 0, 'EX', ARGV[2], 'NX')
  local consumed = redis.call('incrby', KEYS[1], ARGV[1])
  local ttl = redis.call('pttl', KEYS[1])
  if ttl == -1 then redis.call('expire', KEYS[1], ARGV[2]) ttl = 1000 * ARGV[2] end
  return {consumed, ttl}`;

const words = (text: string) => text.split(/\s+/).filter(Boolean).join(' ');

export async function startStandIn(port: number, password: string): Promise<StandIn> {
  const counters = new Map<string, { value: number; expiresAt: number }>();
  const sockets = new Set<Socket>();
  const waiting: (() => void)[] = [];
  let isHung = false;
  let refusal: string | null = null;

  const live = (key: string) => {
    const counter = counters.get(key);
    return counter && counter.expiresAt > Date.now() ? counter : undefined;
  };
  const evaluate = (text: string, keyCount: string, key: string, points: string, seconds: string) => {
    if (words(text) !== words(script) || keyCount !== '1') return '-ERR a script that is not known here';
    const counter = live(key) ?? { value: 0, expiresAt: Date.now() + Number(seconds) * 1000 };
    counter.value += Number(points);
    counters.set(key, counter);
    return `*2\r\n:${counter.value}\r\n:${counter.expiresAt - Date.now()}`;
  };
  const answerTo = (isKnown: boolean, [name = '', ...args]: string[]): string => {
    if (refusal !== null) return `-${refusal}`;
    if (name === 'AUTH') return args.join() === password ? '+OK' : '-WRONGPASS invalid password';
    if (!isKnown) return '-NOAUTH Authentication required.';
    const [text = '', count = '', key = '', points = '', seconds = ''] = args;
    return name === 'EVAL' ? evaluate(text, count, key, points, seconds) : `-ERR unknown command '${name}'`;
  };

  const server = createServer((socket) => {
    let isKnown = false;
    let received: Buffer = Buffer.alloc(0);
    const work = () => {
      for (;;) {
        const { command, rest } = readCommand(received);
        if (!command) return;
        received = rest;
        const answer = answerTo(isKnown, command);
        isKnown ||= command[0] === 'AUTH' && answer === '+OK';
        socket.write(`${answer}\r\n`);
      }
    };
    sockets.add(socket.on('error', () => undefined).on('close', () => sockets.delete(socket)));
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      if (isHung) waiting.push(work);
      else work();
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    keys: () => [...counters.keys()].filter(live),
    refuse: (error) => (refusal = error),
    hang: () => (isHung = true),
    resume: () => {
      isHung = false;
      for (const work of waiting.splice(0)) work();
    },
    stop: async () => {
      for (const socket of sockets) socket.resetAndDestroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The first command of the bytes (an array of bulk strings), where it is there whole. */
function readCommand(bytes: Buffer): { command?: string[]; rest: Buffer } {
  let at = 0;
  // NaN where the line has not arrived whole.
  const numberOfLine = () => {
    const end = bytes.indexOf('\r\n', at);
    const text = bytes.toString('latin1', at + 1, end === -1 ? at + 1 : end);
    at = end + 2;
    return text === '' ? Number.NaN : Number(text);
  };
  const command: string[] = [];
  for (let left = numberOfLine(); left !== 0; left--) {
    const length = Number.isNaN(left) ? left : numberOfLine();
    if (Number.isNaN(length) || bytes.length < at + length + 2) return { rest: bytes };
    command.push(bytes.toString('utf8', at, at + length));
    at += length + 2;
  }
  return { command, rest: bytes.subarray(at) };
}

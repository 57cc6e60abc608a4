import { createHmac } from 'node:crypto';

import type * as Redis from '@redis/client';
import type { RateLimiterMemory } from 'rate-limiter-flexible';
import RateLimiterRedis from 'rate-limiter-flexible/lib/RateLimiterRedis.js';

import type { Log } from '../observability/access-log.ts';

const connectWithinMs = 500;
const answerWithinMs = 100;

type RedisClient = ReturnType<typeof newClient>;

export type Limiter = Pick<RateLimiterMemory, 'penalty'>;

export interface SharedCounts extends Disposable {
  /** Counts in Redis under this name, with the limit and window of `own`, and in `own` while Redis is away. */
  limiter(name: string, own: RateLimiterMemory): Limiter;
  hide(address: string): string;
  isShared(): boolean;
  fallbacks(): number;
}

/** Waits 0.5 s at most to connect. Redis is away if it fails or takes 100 ms, and back once an attempt has counted. */
export async function openSharedCounts(
  url: string,
  log: Pick<Log, 'info' | 'warn'>,
  retryMs = 1_000,
): Promise<SharedCounts> {
  const redis = await import('@redis/client');
  const connection = await connect(() => newClient(redis, url), log, retryMs);
  let fallbacks = 0;
  const count: RedisClient['eval'] = async (...args) => {
    const client = connection.client();
    try {
      if (!client) throw new Error('AWAY');
      return await within(answerWithinMs, client.eval(...args));
    } catch (error) {
      fallbacks++;
      if (client) connection.leave(client, error);
      throw error;
    }
  };
  const password = URL.parse(url)?.password ?? '';
  return {
    limiter: (name, own) => limiterOn({ eval: count }, `roster:${name}`, own, own),
    // A plain hash would not hide an address: all of IPv4 is soon hashed. A dump of Redis lacks the password.
    hide: (address) => createHmac('sha256', password).update(address).digest('base64url').slice(0, 22),
    isShared: () => connection.client() !== undefined,
    fallbacks: () => fallbacks,
    [Symbol.dispose]: () => connection[Symbol.dispose](),
  };
}

/** Holds a client that counts, or none while Redis is away. A client that failed is never used again. */
async function connect(make: () => RedisClient, log: Pick<Log, 'info' | 'warn'>, retryMs: number) {
  let current: RedisClient | undefined;
  let isShared = false;
  let isMissed = false;
  let retry: NodeJS.Timeout | undefined;
  const drop = () => {
    const client = current;
    current = undefined;
    isShared = false;
    client?.destroy();
  };
  const leave = (client: RedisClient, error: unknown) => {
    if (client !== current) return;
    drop();
    retry = setTimeout(() => void join(), retryMs).unref();
    if (!isMissed) log.warn({ reason: reasonOf(error) }, 'Redis is away: this process counts for itself');
    isMissed = true;
  };
  const join = async () => {
    const client = (current = make());
    client.on('error', (error) => leave(client, error));
    client.on('ready', () => client !== current && client.destroy());
    try {
      await within(connectWithinMs, client.connect());
      // With the script of the limiter, so that whatever keeps it from counting shows before a request meets it.
      await within(answerWithinMs, limiterOn(client, 'roster', { points: 1, duration: 1 }).penalty('probe'));
      isShared = client === current;
      if (isShared && isMissed) log.info('Redis is back: the rate limit is shared again');
      isMissed &&= !isShared;
    } catch (error) {
      leave(client, error);
    }
  };
  await join();
  return {
    client: () => (isShared ? current : undefined),
    leave,
    [Symbol.dispose]: () => {
      clearTimeout(retry);
      drop();
    },
  };
}

/** RESP 2: it greets with AUTH and SELECT only, which every version knows. */
function newClient(redis: typeof Redis, url: string) {
  return redis.createClient({
    url,
    RESP: 2,
    disableClientInfo: true,
    disableOfflineQueue: true,
    // The client's own limit ends once a command is written, so `within` limits the answer.
    commandOptions: { timeout: 0 },
    socket: { connectTimeout: connectWithinMs, reconnectStrategy: false },
  });
}

function limiterOn(
  storeClient: Pick<RedisClient, 'eval'>,
  keyPrefix: string,
  { points, duration }: Pick<RateLimiterMemory, 'points' | 'duration'>,
  insuranceLimiter?: RateLimiterMemory,
) {
  const insurance = insuranceLimiter && { insuranceLimiter };
  return new RateLimiterRedis({ storeClient, keyPrefix, points, duration, useRedisPackage: true, ...insurance });
}

/** Fails after the time. While this process is too busy to read, at most a quarter of the time passes. */
function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  let quarters = 4;
  const timer = setInterval(() => {
    quarters--;
    if (quarters === 0) setImmediate(() => reject(new Error('TIMEOUT')));
  }, ms / 4);
  work.then(resolve, reject);
  return promise.finally(() => clearInterval(timer));
}

// One word and never the message, which may quote settings.
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const { code } = error as NodeJS.ErrnoException;
  return code ?? /^[A-Z]{2,}\b/.exec(error.message)?.[0] ?? error.constructor.name;
}

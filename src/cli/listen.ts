import { lookup } from 'node:dns/promises';

import type { FastifyInstance } from 'fastify';

import type { Config } from '../config.ts';
import { AppError } from '../errors.ts';

/** Connections that the system keeps until they are accepted: 511, as it comes, and thousands at once wait for seconds. */
const backlog = 4_096;

/** Listens and returns the address, as a URL; throws `unavailable` with what mends it. */
export async function listen(
  app: FastifyInstance,
  { host, port }: Pick<Config, 'host' | 'port'>,
): Promise<string> {
  try {
    // For a name of several addresses Fastify makes servers beside its own, which know none of our limits.
    const { address } = await lookup(host, { order: 'ipv4first' });
    return await app.listen({ host: address, port, backlog });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const reason: Record<string, string> = {
      EADDRINUSE: `Port ${port} of ${host} is in use; set PORT to another, or stop what has it`,
      EACCES: `Port ${port} may not be opened by this user; set PORT to one above 1023`,
      EADDRNOTAVAIL: `${host} is no address of this machine; set HOST to one that is`,
      ENOTFOUND: `The name ${host} is unknown; set HOST to an address of this machine`,
    };
    const sentence = reason[code ?? ''];
    throw sentence === undefined ? error : new AppError('unavailable', `${sentence}.`, { cause: error });
  }
}

const endsWithinMs = 2_000;

/**
 * From now on, when all is closed, nothing holds the process for longer than two seconds: a reader of its log that does
 * not read would do so for ever, as a thread waits for him. Then it is ended by SIGTERM, which is what asked for it, and
 * what he has not read is lost.
 */
export function endSoon(): void {
  setTimeout(endNow, endsWithinMs).unref();
}

function endNow(): void {
  // Without a listener the signal does what it always does.
  process.removeAllListeners('SIGTERM');
  process.kill(process.pid, 'SIGTERM');
}

const parentCheckedEveryMs = 250;

/**
 * Resolves at the first SIGTERM or SIGINT; a second one ends the process at once. Started by npx, it resolves
 * too when its parent is gone: npm gives the signal to a shell, which dies of it without passing it on.
 */
export function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    const onSignal = (signal: NodeJS.Signals) => {
      // Without a listener the signal does again what it always does.
      process.off('SIGTERM', onSignal).off('SIGINT', onSignal);
      clearInterval(watch);
      resolve(signal);
    };
    process.on('SIGTERM', onSignal).on('SIGINT', onSignal);
    const parent = process.ppid;
    const isByNpm = process.env['npm_command'] !== undefined;
    const watch = setInterval(() => {
      if (isByNpm && process.ppid !== parent) onSignal('SIGTERM');
    }, parentCheckedEveryMs).unref();
  });
}

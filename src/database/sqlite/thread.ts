import { Worker } from 'node:worker_threads';

import { isSource, requireAsset } from '../../assets.ts';
import { AppError } from '../../errors.ts';
import type { FileIdentity } from './reader.ts';

/** The program of a thread: a source file, or its text, because the file of a running service may be gone. */
export function entryOf(name: string): URL | string {
  return isSource ? new URL(`./${name}.ts`, import.meta.url) : requireAsset(`threads/${name}.js`).toString();
}

/** A thread that answers one message after the other, ends at null, and keeps no process alive while it is idle. */
export function startThread(entry: URL | string, identity: FileIdentity): Worker {
  const thread = new Worker(entry, { workerData: identity, eval: typeof entry === 'string' });
  thread.on('error', () => undefined).unref();
  return thread;
}

/** Throws `unavailable` if the thread ends. */
export async function askThread<Answered>(thread: Worker, asked: unknown): Promise<Answered> {
  const { promise, resolve, reject } = Promise.withResolvers<Answered>();
  const lost = (cause: unknown) => reject(new AppError('unavailable', 'A worker thread failed; try again.', { cause }));
  thread.on('message', resolve).on('error', lost).on('exit', lost).ref();
  try {
    thread.postMessage(asked);
    return await promise;
  } finally {
    thread.off('message', resolve).off('error', lost).off('exit', lost).unref();
  }
}

export async function endThread(thread: Worker): Promise<void> {
  const { promise: ended, resolve } = Promise.withResolvers<unknown>();
  thread.once('exit', resolve).ref();
  thread.postMessage(null);
  await ended;
}

import { on } from 'node:events';
import { extname } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';

import { AppError, type ErrorCode } from '../errors.ts';
import type { Columns } from './columns.ts';
import type { Format } from './formats.ts';
import { type PackedBatch, unpack } from './packed-batch.ts';
import type { ReaderName } from './readers.ts';
import type { Input, NamedReader, ReadingOptions } from './reading.ts';

/** What the thread (reading-worker.ts) is started with. */
export interface ReadingTask {
  file: string;
  reader: ReaderName;
  format: Format | undefined;
  mapping: ReadonlyMap<string, string>;
  givesBack: boolean;
}

/** What the thread says: first the format, before their rows the columns, and nothing after a failure or the end. */
export type ReadingMessage =
  | { kind: 'format'; format: Format }
  | { kind: 'columns'; columns: Columns<string>; headings: readonly string[] }
  | { kind: 'batch'; batch: PackedBatch; bytesRead: number }
  | {
      kind: 'failure';
      isForeseen: boolean;
      code: string | undefined;
      path: string | undefined;
      message: string;
    }
  | { kind: 'end' };

/** Batches that may wait to be taken: the thread goes on while a transaction keeps this one busy. */
const readAhead = 2;

/** A file that a thread of its own reads and checks, so that this one can store meanwhile. */
export function threadInput(file: string, size: number): Input {
  let bytesRead = 0;
  let worker: Worker | undefined;
  let stopped: Error | undefined;
  return {
    size,
    bytesRead: () => bytesRead,
    read: async <Field extends string, Draft extends object>(
      { name, synonyms }: NamedReader<Field, Draft>,
      { onColumns, format, mapping, givesBack }: ReadingOptions,
    ) => {
      const workerData: ReadingTask = { file, reader: name, format, mapping, givesBack };
      const thread = new Worker(new URL(`reading-worker${extname(import.meta.url)}`, import.meta.url), {
        workerData,
        // 40 MiB less of memory than at the default, at the same speed.
        resourceLimits: { maxYoungGenerationSizeMb: 8 },
      });
      worker = thread;
      // Each message is the permission to hand over one more batch.
      for (let i = 0; i < readAhead; i++) thread.postMessage('next');
      const messages = messagesOf(thread, () => stopped);
      const first = await messages.next();
      if (first.done || first.value.kind !== 'format') throw new Error('the thread that reads said nothing');
      const fields = Object.keys(synonyms);
      const batches = async function* () {
        for await (const message of messages) {
          if (message.kind === 'columns') onColumns?.(message.columns, message.headings);
          if (message.kind !== 'batch') continue;
          thread.postMessage('next');
          bytesRead = message.bytesRead;
          // With batches waiting and a database that answers at once, a signal would not be heard until the end.
          await setImmediate();
          yield unpack<Draft>(message.batch, fields);
        }
      };
      return { format: first.value.format, batches: batches() };
    },
    stop: (reason) => {
      stopped ??= reason;
      void worker?.terminate();
    },
  };
}

/** All that the thread says until its end; throws where it fails, and what `stopped` returns once it does. */
async function* messagesOf(worker: Worker, stopped: () => Error | undefined): AsyncGenerator<ReadingMessage> {
  const events = on(worker, 'message', { close: ['exit'] }) as AsyncIterable<[ReadingMessage]>;
  for await (const [message] of events) {
    if (stopped()) break;
    if (message.kind === 'failure') throw failureOf(message);
    if (message.kind === 'end') return;
    yield message;
  }
  throw stopped() ?? new Error('the thread that reads ended early');
}

function failureOf({ isForeseen, code, path, message }: ReadingMessage & { kind: 'failure' }): Error {
  return isForeseen
    ? new AppError(code as ErrorCode, message)
    : Object.assign(new Error(message), { code, path });
}

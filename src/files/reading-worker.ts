import { on } from 'node:events';
import { createReadStream } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';

import { AppError } from '../errors.ts';
import { chunkSize } from './formats.ts';
import { pack, type PackedBatch } from './packed-batch.ts';
import { readers } from './readers.ts';
import type { ReadingMessage, ReadingTask } from './reading-thread.ts';
import { openReading, type Reader } from './reading.ts';

// The thread that reading-thread.ts starts: it decodes, parses and checks, and hands over batch after batch.

if (!parentPort) throw new Error('This is the beginning of a thread.');
const port = parentPort;
const say = (message: ReadingMessage) => port.postMessage(message);

const { file, reader, format, mapping, givesBack } = workerData as ReadingTask;
const noun: Reader<string, object> = readers[reader];
const fields = Object.keys(noun.synonyms);
const permissions = on(port, 'message');

try {
  const input = createReadStream(file, { highWaterMark: chunkSize });
  const reading = await openReading(input, noun, {
    format,
    mapping,
    givesBack,
    onColumns: (columns, headings) => say({ kind: 'columns', columns, headings }),
  });
  say({ kind: 'format', format: reading.format });
  for await (const batch of reading.batches) {
    await permissions.next();
    handOver(pack(batch, fields, givesBack), input.bytesRead);
  }
  say({ kind: 'end' });
} catch (error) {
  // An error does not keep its class and its code on the way to another thread.
  const { code, path, message } = error as NodeJS.ErrnoException;
  say({ kind: 'failure', isForeseen: error instanceof AppError, code, path, message });
}
port.close();

/** What is nested too deeply to be cloned could not be written to the rejects either. */
function handOver(batch: PackedBatch, bytesRead: number): void {
  try {
    say({ kind: 'batch', batch, bytesRead });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const rows = (batch.rows ?? []).map((row): typeof row => (isClonable(row) ? row : [[], []]));
    say({ kind: 'batch', batch: { ...batch, rows }, bytesRead });
  }
}

function isClonable(value: unknown): boolean {
  try {
    return structuredClone(value) !== undefined;
  } catch {
    return false;
  }
}

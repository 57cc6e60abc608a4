import { createReadStream, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';

import { chunkSize } from './formats.ts';
import { threadInput } from './reading-thread.ts';
import { type Input, openReading } from './reading.ts';

/** A thread takes a tenth of a second to begin, which smaller files do not give back. */
const threadFrom = 2 * 1_048_576;

/** The file of this name, or stdin for `-`; throws where there is none. A large file is read in a thread, given a core for it. */
export function openInput(file: string): Input {
  if (file === '-') return streamInput(process.stdin, undefined);
  const { size } = statSync(file);
  if (size >= threadFrom && availableParallelism() > 1) return threadInput(file, size);
  return streamInput(createReadStream(file, { highWaterMark: chunkSize }), size);
}

function streamInput(
  stream: AsyncIterable<Buffer> & { destroy(reason?: Error): unknown },
  size: number | undefined,
): Input {
  let read = 0;
  const bytes = async function* () {
    for await (const chunk of stream) {
      read += chunk.byteLength;
      yield chunk;
    }
  };
  return {
    size,
    bytesRead: () => read,
    read: (reader, options) => openReading(bytes(), reader, options),
    stop: (reason) => void stream.destroy(reason),
  };
}

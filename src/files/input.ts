import { createReadStream, statSync } from 'node:fs';

import { chunkSize } from './formats.ts';

/** The bytes to import. */
export interface Input {
  /** In bytes; undefined where it cannot be known. */
  size: number | undefined;
  bytesRead(): number;
  /** Can be read once. */
  bytes: AsyncIterable<Uint8Array>;
  /** Ends the reading; the reader is thrown the reason. */
  stop: (reason?: Error) => void;
}

/** The file of this name, or stdin for `-`; throws where there is none. */
export function openInput(file: string): Input {
  if (file === '-') return inputOf(process.stdin, undefined);
  const { size } = statSync(file);
  return inputOf(createReadStream(file, { highWaterMark: chunkSize }), size);
}

function inputOf(
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
    bytes: bytes(),
    stop: (reason) => void stream.destroy(reason),
  };
}

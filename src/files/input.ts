import { createReadStream, statSync } from 'node:fs';

const chunkBytes = 65_536;

export interface Input {
  /** In bytes; undefined for stdin. */
  size: number | undefined;
  bytesRead: () => number;
  bytes: AsyncIterable<Uint8Array>;
  stop: (reason?: Error) => void;
}

/** Opens the file, or stdin for `-`; throws where there is none. */
export function openInput(file: string): Input {
  const size = file === '-' ? undefined : statSync(file).size;
  const stream = file === '-' ? process.stdin : createReadStream(file, { highWaterMark: chunkBytes });
  return {
    size,
    bytesRead: () => stream.bytesRead,
    bytes: stream,
    stop: (reason) => void stream.destroy(reason),
  };
}

import { createReadStream, statSync } from 'node:fs';

const chunkBytes = 65_536;

export type Input = ReturnType<typeof openInput>;

/** Opens the file, or stdin for `-`, whose size is undefined; throws where there is none. */
export function openInput(file: string) {
  const size = file === '-' ? undefined : statSync(file).size;
  const stream = file === '-' ? process.stdin : createReadStream(file, { highWaterMark: chunkBytes });
  return {
    size,
    bytesRead: () => stream.bytesRead,
    bytes: stream as AsyncIterable<Uint8Array>,
    stop: (reason?: Error) => void stream.destroy(reason),
  };
}

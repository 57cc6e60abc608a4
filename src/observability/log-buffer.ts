import { type DestinationStream, pino } from 'pino';

const bufferBytes = 65_536;
const flushAfterMs = 50;
/** Lines beyond this are lost where the reader does not read: answers come first. */
const waitingBytesMax = 16 * 1024 * 1024;

/**
 * Writes the lines of 50 ms to stdout together, without waiting for the reader. A line goes into the buffer at once,
 * so no string outlives its answer. A normal exit loses nothing; `process.exit` can lose what a slow reader keeps a
 * thread waiting with, and a SIGKILL the last 50 ms.
 */
export function bufferLines(): DestinationStream {
  const buffer = Buffer.allocUnsafe(bufferBytes);
  let used = 0;
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    if (used > 0) stdout.write(Buffer.copyBytesFrom(buffer, 0, used));
    used = 0;
  };
  // Before the destination's own listener, which writes last.
  process.on('exit', () => {
    // Node cancels a write that no thread has begun.
    Object.assign(stdout, { sync: true });
    flush();
  });
  const stdout = openStdout();
  return {
    write: (line) => {
      // A UTF-16 unit is three bytes at most.
      const bytesMax = line.length * 3;
      if (used + bytesMax > bufferBytes) flush();
      if (bytesMax > bufferBytes) return stdout.write(Buffer.from(line));
      used += buffer.write(line, used);
      timer ??= setTimeout(flush, flushAfterMs);
    },
  };
}

function openStdout(): { write: (bytes: Buffer) => void } {
  const stdout = pino.destination({
    dest: 1,
    sync: false,
    contentMode: 'buffer',
    // One write for each buffer: sonic-boom 5 loses count when it joins several after a failed write.
    maxWrite: 1,
    maxLength: waitingBytesMax,
  });
  // A full disk costs lines, and no answers: they are tried again with the next ones. At the exit the destination would
  // try for ever.
  const flushSync = stdout.flushSync.bind(stdout);
  stdout
    .on('error', () => (stdout.flushSync = () => undefined))
    .on('write', () => (stdout.flushSync = flushSync));
  // In this mode it takes buffers; its types know strings only.
  return stdout as unknown as { write: (bytes: Buffer) => void };
}

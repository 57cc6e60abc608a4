import { type DestinationStream, pino } from 'pino';

const bufferBytes = 65_536;
const flushAfterMs = 50;
/** Lines beyond this are lost where the reader does not read: answers come first. */
const waitingBytesMax = 16 * 1024 * 1024;

/**
 * Writes the lines of 50 ms to stdout together, without waiting for the reader. A line goes into the buffer at once,
 * so no string outlives its answer. A normal exit loses nothing; a SIGKILL loses the last 50 ms.
 */
export function bufferLines(): DestinationStream {
  const buffer = Buffer.allocUnsafe(bufferBytes);
  let used = 0;
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    if (used > 0) write(Buffer.copyBytesFrom(buffer, 0, used));
    used = 0;
  };
  // Before the destination's own listener, which writes last.
  process.on('exit', flush);
  const write = openStdout();
  return {
    write: (line) => {
      // A UTF-16 unit is three bytes at most.
      const bytesMax = line.length * 3;
      if (used + bytesMax > bufferBytes) flush();
      if (bytesMax > bufferBytes) return write(Buffer.from(line));
      used += buffer.write(line, used);
      timer ??= setTimeout(flush, flushAfterMs);
    },
  };
}

function openStdout(): (bytes: Buffer) => void {
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
  // In this mode it takes buffers; its types know strings only. An EPIPE replaces `write`.
  const destination = stdout as unknown as { write: (bytes: Buffer) => void };
  return (bytes) => destination.write(bytes);
}

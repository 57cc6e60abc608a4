import { pino, stdTimeFunctions, type DestinationStream, type Logger } from 'pino';

import type { Config } from '../config.ts';
import { isLively } from './output.ts';
import { wholeLine } from './whole-line.ts';

/** JSON lines on stdout; something for eyes where stdout is a terminal. `worker` is on each line of a worker. */
export async function createLogger(level: Config['logLevel'], worker?: { pid: number }): Promise<Logger> {
  const options = {
    level,
    base: worker ?? null,
    ...(worker && { hooks: { streamWrite: wholeLine } }),
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  if (!process.stdout.isTTY) return pino(options, linesTogether());
  const { default: pretty } = await import('pino-pretty');
  const colorize = isLively(process.stdout);
  return pino(options, pretty({ colorize, sync: true, singleLine: true, translateTime: 'SYS:HH:MM:ss' }));
}

/** What a pipe takes as a whole (PIPE_BUF): so lines of several processes on one are never mixed. */
const togetherBytesMax = 4_096;
const togetherMs = 50;
/** More than this is not kept for a reader that does not read: people are served, lines are lost. */
const waitingBytesMax = 16 * 1024 * 1024;

/**
 * Writes what is logged within 50 ms together, as a write of its own costs each answer more than all of its line
 * (27 µs of CPU into a pipe, against 4), and without waiting for whoever reads. At the end of the process nothing
 * is left; a SIGKILL loses the last 50 ms.
 */
function linesTogether(): DestinationStream {
  let lines = '';
  let bytes = 0;
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    const text = lines;
    [lines, bytes] = ['', 0];
    if (text !== '') stdout.write(text);
  };
  // Before the destination's own, which is the last to write.
  process.on('exit', flush);
  const stdout = pino.destination({
    dest: 1,
    sync: false,
    maxWrite: togetherBytesMax,
    maxLength: waitingBytesMax,
  });
  return {
    write: (line) => {
      const lineBytes = Buffer.byteLength(line);
      if (bytes + lineBytes > togetherBytesMax) flush();
      lines += line;
      bytes += lineBytes;
      timer ??= setTimeout(flush, togetherMs);
    },
  };
}
